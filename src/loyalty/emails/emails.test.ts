import { asc } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { verifyEmail } from "#identity/calls.ts";
import { pagePaths } from "#identity/paths.ts";
import { obtainReward, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { mails } from "#platform/mail/mail.tables.server.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";
import { enter, mailedToken, registrationForm } from "#testing/people.server.ts";

const { addCustomer, as, call, database, clock } = await openTestClub();
const start = clock.now;
beforeEach(async () => {
  await database.delete(mails);
  clock.now = start;
});

/** The emails queued so far, oldest first. */
const emails = () =>
  database
    .select({
      cause: mails.cause,
      customerId: mails.customerId,
      to: mails.recipient,
      locale: mails.locale,
      subject: mails.subject,
      text: mails.plainText,
    })
    .from(mails)
    .orderBy(asc(mails.id));

async function grant(customerId: number, points: number, cause: string) {
  const context = { now: clock.now, locale: "de" as const, publicUrl: "https://cercle.test" };
  await earn(database, defaultProgrammeId, { customerId, points, kind: "grant", cause, label: {} }, context);
}

test("joining queues an email, once, in the caller's language", async () => {
  const { as, email, id } = await addCustomer();
  await as("en")(subscribe);
  await as("en")(unsubscribe);
  await as("en")(subscribe);
  const [mail, ...others] = await emails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    cause: `joined:${id}`,
    customerId: id,
    to: email,
    locale: "en",
    subject: "Welcome to the Cercle: 250 points are waiting for you",
  });
  for (const words of [
    "Welcome, Camille",
    "You are now a member of the Cercle. To celebrate, here are 250 points from us.",
    `http://localhost:3000/en${pagePaths.memberPage}`,
  ])
    expect(mail?.text).toContain(words);
});

test("who joins at registration is welcomed once: when the address is confirmed, by the club", async () => {
  const { email, Token } = await enter(call, registrationForm({ LoyaltySubscribe: true }));
  expect((await emails()).map(({ subject }) => subject)).toEqual(["Confirmez votre adresse e-mail"]);
  await as(Token)(verifyEmail, { Token: await mailedToken(database, email) });
  expect((await emails()).slice(1)).toMatchObject([
    { cause: expect.stringMatching(/^joined:/), subject: expect.stringContaining("250 points vous attendent") },
  ]);
  // Who is no member is welcomed to the account.
  const other = await enter(call, registrationForm());
  await as(other.Token)(verifyEmail, { Token: await mailedToken(database, other.email) });
  expect((await emails()).slice(3)).toMatchObject([{ cause: expect.stringMatching(/^welcome:/) }]);
});

test("reaching a higher tier queues an email, once", async () => {
  const { call, id } = await addCustomer();
  await call(subscribe);
  await grant(id, 749, "grant:a");
  expect(await emails()).toHaveLength(1);
  await grant(id, 1, "grant:b");
  expect((await emails())[1]).toMatchObject({
    to: expect.stringContaining("@"),
    locale: "de",
    subject: "Sie haben den Status Seide erreicht",
    text: expect.stringContaining("Camille, willkommen im Status Seide"),
  });
  await grant(id, 1, "grant:b");
  await grant(id, 100, "grant:c");
  expect(await emails()).toHaveLength(2);
  // Two tiers at once: one email, about the higher.
  const other = await addCustomer();
  await other.call(subscribe);
  await grant(other.id, 5000, "grant:d");
  expect((await emails()).slice(3)).toMatchObject([{ subject: "Sie haben den Status Kaschmir erreicht" }]);
});

test("a voucher queues its email; a refused one queues none", async () => {
  const { as } = await addCustomer();
  await as("fr")(subscribe);
  const { CustomerReward } = await as("fr")(obtainReward, { IdLoyaltyReward: 1 });
  await refusalOf(as("fr")(obtainReward, { IdLoyaltyReward: 1 }));
  const [, mail, ...others] = await emails();
  expect(others).toEqual([]);
  expect(mail?.subject).toMatch(/^Votre récompense est prête\s: Bon de 10\s€$/);
  expect(mail?.text).toContain(`\n\n${CustomerReward.Code}\n\n`);
  expect(mail?.text).toMatch(/Vos 250 points sont devenus un bon de 10\s€\. .* jusqu’au 8\sjuin 2026\./);
});
