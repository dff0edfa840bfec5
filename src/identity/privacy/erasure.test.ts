import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { eraseCustomer, exportCustomer, readCustomer, verifyEmail } from "#identity/calls.ts";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { socialAccounts, socialLogins } from "#identity/customer/social-login.tables.server.ts";
import { emailsTo, enter, form, guestForm, mailedToken, password, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { exportTable } from "./export-table.server.ts";

const erased: number[] = [];
const club: ClubHooks = {
  join: async () => {},
  isMember: sql`true`,
  findReferrer: async () => undefined,
  mailWelcome: async () => false,
  isUsedSince: async () => false,
  exportOf: async (_queries, customerId) => ({ Card: `card of ${customerId}` }),
  startClean: async () => {},
  hasPass: sql`false`,
  endPasses: async () => false,
  emailChanged: async () => {},
  erase: async (_queries, customerId) => void erased.push(customerId),
};
const { call, as, fetch, database } = await openTestProduct({}, { club });

const erase = (token: string, fields: object = {}) =>
  fetch("/api/customer", { ...form(fields), method: "DELETE", headers: { authorization: `Bearer ${token}` } });

/** The tables of the database that contain a text in any column. */
async function tablesHolding(piece: string): Promise<string[]> {
  const { rows } = await database.$client.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const found = [];
  for (const { name } of rows) {
    const { rowCount } = await database.$client.query(
      `select 1 from "${name}" as row where row::text like '%' || $1 || '%' limit 1`,
      [piece],
    );
    if (rowCount) found.push(name);
  }
  return found;
}

test("erasing needs the password; a wrong one erases nothing", async () => {
  const { Token } = await enter(call);
  expect((await (await erase(Token)).json()).errors).toMatchObject([{ field: "Password", code: "required" }]);
  expect((await (await erase(Token, { Password: "faux-mot" })).json()).errors).toMatchObject([
    { field: "Password", code: "wrong_password" },
  ]);
  await as(Token)(readCustomer);
});

test.each([
  ["fr", "Il manque la confirmation du service de connexion."],
  ["en", "The sign-in provider’s confirmation is missing."],
  ["de", "Die Bestätigung des Anmeldedienstes fehlt."],
])("an account with only a social login needs its proof, in %s", async (LanguageIsoCode, detail) => {
  const { Token, Customer } = await enter(call);
  await database.update(customers).set({ passwordHash: null }).where(eq(customers.id, Customer.IdCustomer));
  await database.insert(socialLogins).values({ customerId: Customer.IdCustomer, provider: "google" });
  const response = await erase(Token, { LanguageIsoCode });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: "proof_missing", detail });
});

test("after an erasure only the last mail contains the address, and the club has erased too", async () => {
  const owner = await enter(
    call,
    registrationForm({ Lastname: "Introuvable", MobilePhone: "0698765432", NewletterActive: true }),
  );
  const response = await erase(owner.Token, { Password: password });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({});
  expect(response.headers.getSetCookie()[0]).toMatch(/^auth\.token=; Max-Age=0/);
  await expect(as(owner.Token)(readCustomer)).rejects.toThrow("Unexpected status code: 401");
  expect(await tablesHolding("Introuvable")).toEqual([]);
  expect(await tablesHolding("698765432")).toEqual([]);
  expect((await tablesHolding(owner.email)).filter((name) => name !== "mail")).toEqual([]);
  expect(erased).toContain(owner.Customer.IdCustomer);
  const last = (await emailsTo(database, owner.email)).at(-1);
  expect(last?.content.subject).toBe("Votre compte est supprimé");
  expect(last?.customerId).toBeUndefined();
  await enter(call, registrationForm({ Email: owner.email }));
});

test("guest records are erased too if the address was verified, and stay otherwise", async () => {
  const guest = await enter(call, guestForm());
  const typed = await enter(call, registrationForm({ Email: guest.email }));
  await erase(typed.Token, { Password: password });
  await as(guest.Token)(readCustomer);

  const owner = await enter(call, registrationForm({ Email: guest.email }));
  await as(owner.Token)(verifyEmail, { Token: await mailedToken(database, guest.email) });
  await erase(owner.Token, { Password: password });
  await expect(as(guest.Token)(readCustomer)).rejects.toThrow("Unexpected status code: 401");
});

test("a guest erases their record with the token alone", async () => {
  const guest = await enter(call, guestForm());
  await as(guest.Token)(eraseCustomer);
  expect(await database.select().from(customers).where(eq(customers.email, guest.email))).toEqual([]);
});

test("of concurrent erasures one succeeds and none fails with 500", async () => {
  const { Token } = await enter(call);
  const responses = await Promise.all([1, 2, 3].map(() => erase(Token, { Password: password })));
  const statuses = responses.map((response) => response.status).sort();
  expect(statuses).toEqual([200, 401, 401]);
});

test("the export contains everything and no secret", async () => {
  const { Token, Customer } = await enter(
    call,
    registrationForm({ MobilePhone: "0612345678", NewletterActive: true, LoyaltySubscribe: true }),
  );
  const customerId = Customer.IdCustomer;
  await database.insert(socialLogins).values({ customerId, provider: "google" });
  await database.insert(socialAccounts).values({ customerId, provider: "google", providerCustomerId: "g-1" });
  const response = await fetch("/api/customer/export", { headers: { authorization: `Bearer ${Token}` } });
  expect(response.headers.get("content-disposition")).toContain("attachment");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({
    Customer: {
      IdCustomer: customerId,
      MobilePhone: "+33612345678",
      Origin: "web",
      SocialLogins: ["google"],
      EmailVerifiedAt: null,
    },
    Letters: [{ Kind: expect.stringMatching(/^\w+$/), QueuedAt: expect.any(String), RefusedAt: null }],
    Sessions: [{ Current: true }],
    PendingLinks: [{ Purpose: "verify" }],
    SocialLogins: [{ Provider: "google", IdAtProvider: "g-1" }],
    Consents: [
      { Subject: "newsletter", Given: true },
      { Subject: "loyalty", Given: true },
    ],
    Loyalty: { Card: `card of ${customerId}` },
  });
  expect(text).not.toContain("argon2");
  expect(text).not.toContain(Token);
  expect(await as(Token)(exportCustomer)).toHaveProperty("ExportedAt");

  const table = await fetch("/api/customer/export/csv", { headers: { authorization: `Bearer ${Token}` } });
  expect(table.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(table.headers.get("content-disposition")).toContain("cercle.csv");
  expect(table.headers.get("cache-control")).toBe("no-store");
  const rows = (await table.text()).split("\n");
  expect(rows).toContain("Customer,,MobilePhone,'+33612345678");
  expect(rows).toContain("Consents,2,Subject,loyalty");
});

test("in the table a text that a spreadsheet would run as a formula is plain text, behind blanks too", async () => {
  const table = await exportTable({ Customer: { Firstname: "=1+1", Lastname: " =1+1" } }).text();
  expect(table).toContain("Firstname,'=1+1");
  expect(table).toContain("Lastname,' =1+1");
});

test.each([
  ["fr", "Mes données", "Prénom", "oui"],
  ["en", "My data", "First name", "yes"],
  ["de", "Meine Daten", "Vorname", "ja"],
])("the export is also a document to read, in the customer's language: %s", async (locale, title, firstname, yes) => {
  const { Token, Customer } = await enter(call, registrationForm({ Lastname: "O’Brien", NewletterActive: true }));
  const response = await fetch(`/api/customer/export/html?LanguageIsoCode=${locale}`, {
    headers: { authorization: `Bearer ${Token}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-disposition")).toContain("cercle.html");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const html = await response.text();
  expect(html).toContain(`<html lang="${locale}">`);
  for (const words of [title, firstname, yes, Customer.Email, "O’Brien", "newsletter"]) expect(html).toContain(words);
  // Every part of the JSON is in it.
  const parts = Object.keys(await as(Token)(exportCustomer)).length - 1;
  expect(html.match(/<h2>/g)).toHaveLength(parts);
  expect(html).not.toContain("argon2");
  expect(html).not.toContain(Token);
});
