import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { customerEmails, customers } from "#identity/customer/customer.tables.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { readLoyalty, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { openTestClub } from "#testing/club.server.ts";

const { addCustomer, database, clock, fetch, letters, settings } = await openTestClub();
const path = pagePaths.memberPage;

type Person = Awaited<ReturnType<typeof addCustomer>>;

async function see(person: Person, address: string = path) {
  const response = await fetch(address, { headers: { cookie: `auth.token=${person.token}` } });
  const html = await response.text();
  return { status: response.status, html, words: wordsOf(html) };
}

/** The visible text of a page, without scripts and tags. */
function wordsOf(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

/** Sends a form as a browser without script does. */
async function send(person: Person, fields: Record<string, string>) {
  const headers = { cookie: `auth.token=${person.token}`, "sec-fetch-site": "same-origin" };
  const response = await fetch(path, { method: "POST", headers, body: new URLSearchParams(fields) });
  return wordsOf(await response.text());
}

/** A customer who was a member, was erased, and has registered again with the same address. */
async function addReturned(): Promise<Person> {
  const before = await addCustomer();
  await before.call(subscribe);
  await database.transaction(async (tx) => {
    const hooks = clubHooks({ publicUrl: settings.publicUrl.href, now: () => clock.now });
    await hooks.erase(tx, before.id, before.email);
    await tx.delete(customerEmails).where(eq(customerEmails.customerId, before.id));
    await tx.delete(customers).where(eq(customers.id, before.id));
  });
  return addCustomer({ email: before.email });
}

test.each(["x", "", "MA", "OTk5OTk5OTk5OTk5OTk5OTk5OTk", "a".repeat(65)])(
  "an invalid cursor ('%s') shows the newest entries",
  async (cursor) => {
    const member = await addCustomer();
    await member.call(subscribe);
    const page = await see(member, `${path}?cursor=${cursor}`);
    expect(page.status).toBe(200);
    expect(page.words).toContain("Bienvenue dans le Cercle");
    expect(page.words).not.toContain("Revenir aux plus récents");
  },
);

test("a valid cursor shows older entries, and a link back to the newest", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  for (let n = 0; n < 10; n += 1)
    await credit(database, {
      ...{ customerId: member.id, points: 10, kind: "grant", cause: `grant:${n}`, label: { text: `Achat ${n}` } },
      now: clock.now,
    });
  const newest = await see(member);
  expect(newest.words).toContain("Achat 9");
  const { NextCursor } = await member.call("GET loyalty/history", { Limit: 10 });
  const older = await see(member, `${path}?cursor=${NextCursor}`);
  expect(older.words).toContain("Revenir aux plus récents");
  expect(older.words).not.toContain("Achat 9");
});

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

test("a customer who has had the welcome gift is not promised it again, on any page or in the letter", async () => {
  const returned = await addReturned();
  const before = (await letters(returned.email)).length;
  expect((await returned.call(readLoyalty)).WelcomePoints).toBe(0);
  const offer = await see(returned);
  expect(offer.words).toContain("Rejoindre le Cercle");
  expect(offer.words).not.toContain("250");
  expect((await see(returned, "/account")).words).not.toContain("250");
  const joined = await send(returned, { intent: "join", IdempotencyKey: "join" });
  expect(joined).toContain("Félicitations, vous avez rejoint le Cercle.");
  expect(joined).not.toContain("250 points.");
  const [letter, ...others] = (await letters(returned.email)).slice(before);
  expect(others).toEqual([]);
  expect(letter?.subject).toBe("Bienvenue dans le Cercle");
  expect(letter?.plainText).not.toContain("250");
});

test("a customer who has never had the gift is promised 250 points, and the page says that they were credited", async () => {
  const person = await addCustomer();
  expect((await person.call(readLoyalty)).WelcomePoints).toBe(250);
  expect((await see(person)).words).toContain("Rejoindre et recevoir 250 points");
  expect((await see(person, "/account")).words).toContain("250 points offerts");
  const joined = await send(person, { intent: "join", IdempotencyKey: "join" });
  expect(joined).toContain("Félicitations, vous avez rejoint le Cercle et gagné 250 points.");
  expect((await person.call(readLoyalty)).WelcomePoints).toBe(0);
  await person.call(unsubscribe);
  expect((await person.call(readLoyalty)).WelcomePoints).toBe(0);
});

test("a refused birthday stays in the form as it was typed", async () => {
  const person = await addCustomer({ birthday: null });
  const headers = { cookie: `auth.token=${person.token}`, "sec-fetch-site": "same-origin" };
  const body = new URLSearchParams({ intent: "join", IdempotencyKey: "join", CustomerBirthday: "31/12/2090" });
  const response = await fetch(path, { method: "POST", headers, body });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('value="31/12/2090"');
});
