import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import { customerEmails, customers } from "#identity/customer/customer.tables.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { readLoyalty, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { clubPath } from "#loyalty/paths.ts";
import { posterPath } from "#shop/paths.ts";
import { openTestPages } from "#testing/member-page.server.ts";

const { addCustomer, clock, database, emails, fetch, see, send, settings } = await openTestPages();
const path = pagePaths.memberPage;

type Person = Awaited<ReturnType<typeof addCustomer>>;

/** A customer who was a member, was erased, and has registered again with the same address. */
async function addReturned(): Promise<Person> {
  const before = await addCustomer();
  await before.call(subscribe);
  await database.transaction(async (tx) => {
    const hooks = clubHooks({ publicUrl: settings.publicUrl.href, now: () => clock.now });
    await hooks.erase(tx, before.id);
    await tx.delete(customerEmails).where(eq(customerEmails.customerId, before.id));
    await tx.delete(customers).where(eq(customers.id, before.id));
  });
  return addCustomer({ email: before.email });
}

test("the wallet link of a customer who is no member shows the form to join, and after joining redirects to the wallet", async () => {
  const customer = await addCustomer();
  const page = await see(customer, `${path}?wallet=google`);
  expect(page.status).toBe(200);
  expect(page.words).toContain("Rejoindre le Cercle");
  expect(page.words).toContain("Rejoignez d’abord le Cercle : votre carte ira ensuite dans Google Wallet.");
  // The form's action has no query: joining shows this page, it does not redirect to the wallet.
  expect(page.html).toContain(`action="${path}"`);
  expect((await see(customer)).words).not.toContain("Google Wallet");
  await customer.call(subscribe);
  expect((await see(customer, `${path}?wallet=google`)).status).toBe(302);
});

test("a customer who has had the welcome gift is not promised it again, on any page or in the email", async () => {
  const returned = await addReturned();
  const before = (await emails(returned.email)).length;
  expect((await returned.call(readLoyalty)).WelcomePoints).toBe(0);
  const offer = await see(returned);
  expect(offer.words).toContain("Rejoindre le Cercle");
  expect(offer.words).not.toContain("250");
  expect((await see(returned, "/account")).words).not.toContain("250");
  for (const publicPage of ["/", clubPath])
    expect((await see(returned, publicPage)).words).toContain("Votre place vous attend dans le Cercle.");
  const joined = await send(returned, { intent: "join", IdempotencyKey: "join" });
  expect(joined).toContain("Félicitations, vous avez rejoint le Cercle.");
  expect(joined).not.toContain("250 points.");
  const [email, ...others] = (await emails(returned.email)).slice(before);
  expect(others).toEqual([]);
  expect(email?.subject).toBe("Bienvenue dans le Cercle");
  expect(email?.plainText).not.toContain("250");
});

test("a customer who has never had the gift is promised 250 points, and the page says that they were credited", async () => {
  const person = await addCustomer();
  expect((await person.call(readLoyalty)).WelcomePoints).toBe(250);
  expect((await see(person)).words).toContain("Rejoindre et recevoir 250 points");
  expect((await see(person, "/account")).words).toContain("250 points offerts");
  const joined = await send(person, { intent: "join", IdempotencyKey: "join" });
  expect(joined).toContain("Félicitations, vous avez rejoint le Cercle et gagné 250 points.");
  const { words: vouchers } = await see(person, `${path}?tab=vouchers`);
  expect(vouchers).toContain("Aucun bon pour l’instant. Vos points suffisent pour le premier");
  expect((await person.call(readLoyalty)).WelcomePoints).toBe(0);
  await person.call(unsubscribe);
  expect((await person.call(readLoyalty)).WelcomePoints).toBe(0);
  // Who has left is told of their own points, where others are told of the gift.
  for (const publicPage of ["/", clubPath, posterPath]) {
    const { words } = await see(person, publicPage);
    expect(words).toContain("250 points vous attendent dans le Cercle. Revenez quand vous voulez");
    expect(words).toContain("Revenir dans le Cercle");
    expect(words).not.toContain("Rejoindre le Cercle");
    expect(words).not.toMatch(/250 points vous (attendent, soit|sont offerts)|avec ses 250 points/);
  }
});

test("a refused birthday stays in the form as it was typed", async () => {
  const person = await addCustomer({ birthday: null });
  const headers = { cookie: `auth.token=${person.token}`, "sec-fetch-site": "same-origin" };
  const body = new URLSearchParams({ intent: "join", IdempotencyKey: "join", CustomerBirthday: "31/12/2090" });
  const response = await fetch(path, { method: "POST", headers, body });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('value="31/12/2090"');
});

test("before and after leaving, a customer reads until when the points are kept, and is promised nothing more", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const { Expiring } = (await member.call(readLoyalty)).Points;
  const lapses = textsOf.fr.date(Expiring?.Date ?? "").replace("\u00a0", " ");
  expect((await see(member)).words).toContain(`Ils expirent au plus tard le ${lapses}.`);
  await member.call(unsubscribe);
  for (const page of [path, pagePaths.account])
    expect((await see(member, page)).words, page).toContain(`Ils expirent au plus tard le ${lapses}.`);
  await member.call(subscribe);
  const later = new Date(clock.now.getTime() + 40 * 86_400_000);
  await credit(database, { customerId: member.id, points: 40, kind: "grant", cause: "later", label: {}, now: later });
  await member.call(unsubscribe);
  expect((await see(member)).words).toContain(`Les premiers, 250, expirent au plus tard le ${lapses}.`);
});
