import { beforeEach, expect, test, vi } from "vitest";
import { customers } from "#identity/customer.tables.server.ts";
import type { Mail } from "#platform/mail.server.ts";
import { openTestClub, refusalOf } from "../test-club.server.ts";
import { obtainReward, subscribe, unsubscribe } from "./calls.ts";
import { earn } from "./earning.server.ts";
import { loyaltyJobs } from "./lapse.server.ts";

const mails = vi.hoisted((): Mail[] => []);
vi.mock("#platform/mail.server.ts", () => ({
  queueMail: async (_: unknown, mail: Mail) => void mails.push(mail),
}));

const { addCustomer, database, clock } = await openTestClub();
const start = clock.now;
beforeEach(() => {
  mails.length = 0;
  clock.now = start;
});

const jobs = loyaltyJobs({ publicUrl: "https://cercle.test", now: () => clock.now });
const warn = () => jobs["loyalty:warn"]?.({}, database);

async function grant(customerId: number, points: number, cause: string) {
  const occasion = { now: clock.now, locale: "de" as const, publicUrl: "https://cercle.test" };
  await earn(database, 4, { customerId, points, kind: "grant", cause, label: {} }, occasion);
}

test("joining is answered with a letter, once, in the caller's language", async () => {
  const { as, email, id } = await addCustomer();
  await as("en")(subscribe);
  await as("en")(unsubscribe);
  await as("en")(subscribe);
  expect(mails).toEqual([
    {
      cause: `joined:${id}`,
      customerId: id,
      to: email,
      locale: "en",
      letter: {
        subject: "Welcome to the Cercle: 250 points are waiting for you",
        preheader: "Your card is ready.",
        title: "Welcome, Camille",
        paragraphs: [
          "You are now a member of the Cercle. To celebrate, here are 250 points from us.",
          "Your card is in your account. Show it in store each time you visit.",
        ],
        action: { label: "See my card", url: "http://localhost:3000/en/account/loyalty/subscribe" },
      },
    },
  ]);
});

test("a higher tier is announced when it is reached, and not again", async () => {
  const { call, id } = await addCustomer();
  await call(subscribe);
  await grant(id, 749, "grant:a");
  expect(mails).toHaveLength(1);
  await grant(id, 1, "grant:b");
  expect(mails[1]).toMatchObject({
    to: expect.stringContaining("@"),
    locale: "de",
    letter: { subject: "Sie haben den Status Seide erreicht", title: "Camille, willkommen im Status Seide" },
  });
  await grant(id, 1, "grant:b");
  await grant(id, 100, "grant:c");
  expect(mails).toHaveLength(2);
  // Over two borders at once: one letter, about the highest.
  const other = await addCustomer();
  await other.call(subscribe);
  await grant(other.id, 5000, "grant:d");
  expect(mails.slice(3)).toMatchObject([{ letter: { subject: "Sie haben den Status Kaschmir erreicht" } }]);
});

test("a voucher comes with its letter; a refused one brings none", async () => {
  const { as } = await addCustomer();
  await as("fr")(subscribe);
  const { CustomerReward } = await as("fr")(obtainReward, { IdLoyaltyReward: 1 });
  await refusalOf(as("fr")(obtainReward, { IdLoyaltyReward: 1 }));
  expect(mails.slice(1)).toMatchObject([
    {
      letter: {
        subject: "Votre récompense est prête : Bon de 10 €",
        preheader: "À utiliser jusqu'au 8 juin 2026.",
        paragraphs: [
          `Bon de 10 €, code ${CustomerReward.Code}.`,
          "Vous l'avez obtenue avec 250 points. Présentez le code en boutique ou saisissez-le en ligne, jusqu'au 8 juin 2026.",
        ],
      },
    },
  ]);
});

test("points about to lapse are told 30 days before, once; those who left or spent hear nothing", async () => {
  await database.delete(customers);
  clock.now = start;
  const stays = await addCustomer({ language: "en" });
  const leaves = await addCustomer();
  const spends = await addCustomer();
  for (const { call } of [stays, leaves, spends]) await call(subscribe);
  await leaves.call(unsubscribe);
  await spends.call(obtainReward, { IdLoyaltyReward: 1 });
  mails.length = 0;
  clock.now = new Date("2028-02-09T12:00:00Z");
  await warn();
  expect(mails).toEqual([]);
  clock.now = new Date("2028-02-10T12:00:00Z");
  await Promise.all([warn(), warn()]);
  clock.now = new Date("2028-02-11T12:00:00Z");
  await warn();
  expect(mails).toMatchObject([
    {
      cause: `lapse:${stays.id}:2028-03-10`,
      to: stays.email,
      locale: "en",
      letter: { subject: "250 points lapse by March 10, 2028" },
    },
  ]);
});
