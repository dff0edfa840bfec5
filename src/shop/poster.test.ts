import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { readHistory, readLoyalty } from "#loyalty/calls.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";
import { readPoster, updateInShop } from "./calls.ts";

const { addCustomer, database, fetch } = await openTestClub();
const customerOf = async (id: number) => (await database.select().from(customers).where(eq(customers.id, id)))[0];

test("in the shop a customer joins, and changes phone and opt-ins, in one call", async () => {
  const { call, id, email } = await addCustomer({ birthday: null });
  const result = await call(updateInShop, {
    Email: ` ${email.toUpperCase()} `,
    IdCustomer: id,
    MobilePhone: "+33612345678",
    NewsletterSubscribe: true,
    NewsletterSmsSubscribe: false,
    LoyaltySubscribe: true,
    IdLoyaltyProgram: defaultProgrammeId,
  });
  expect(result).toMatchObject({ IdCustomer: id, LoyaltyCustomerState: true, Points: { Available: 250 } });
  expect(await customerOf(id)).toMatchObject({ mobilePhone: "+33612345678", newsletter: true, newsletterSms: false });
});

test("joining again changes nothing, leaving leaves, and without LoyaltySubscribe the membership stays", async () => {
  const { call } = await addCustomer();
  const joined = await call(updateInShop, { LoyaltySubscribe: true });
  expect(await call(updateInShop, { LoyaltySubscribe: true })).toEqual(joined);
  expect(await call(updateInShop, { NewsletterSubscribe: true })).toEqual(joined);
  expect((await call(updateInShop, { LoyaltySubscribe: false })).LoyaltyCustomerState).toBe(false);
  expect((await call(readHistory)).Entries).toHaveLength(1);
});

test("an email address or id of another customer is refused, and nothing is written", async () => {
  const { call, id } = await addCustomer();
  const other = await addCustomer();
  const change = { LoyaltySubscribe: true, NewsletterSubscribe: true, MobilePhone: "+33612345678" };
  for (const named of [
    { Email: other.email },
    { IdCustomer: other.id },
    { Email: other.email, IdCustomer: id },
    { IdCustomer: 999_999_999 },
    { Email: "nobody" },
  ])
    expect(await refusalOf(call(updateInShop, { ...named, ...change }))).toMatchObject({
      status: 403,
      code: "forbidden",
    });
  for (const customer of [id, other.id])
    expect(await customerOf(customer)).toMatchObject({ newsletter: false, mobilePhone: null });
  expect((await call(readLoyalty)).LoyaltyCustomerState).toBe(false);
  expect((await other.call(readLoyalty)).LoyaltyCustomerState).toBe(false);
});

test("a guest may not join in the shop, another programme is unknown, and nothing is written", async () => {
  const guest = await addCustomer({ guest: true });
  const joining = guest.call(updateInShop, { LoyaltySubscribe: true, NewsletterSubscribe: true });
  expect(await refusalOf(joining)).toMatchObject({ status: 403, code: "forbidden" });
  const { call, id } = await addCustomer();
  const elsewhere = call(updateInShop, { NewsletterSubscribe: true, LoyaltySubscribe: true, IdLoyaltyProgram: 5 });
  expect(await refusalOf(elsewhere)).toMatchObject({ status: 404, code: "not_found" });
  for (const customer of [guest.id, id]) expect(await customerOf(customer)).toMatchObject({ newsletter: false });
});

test.each(["0", "-1", "4.0", "NaN", "9223372036854775808"])("the customer %s is malformed", async (id) => {
  const { call } = await addCustomer();
  expect(await refusalOf(call(updateInShop, { IdCustomer: id }))).toMatchObject({ status: 400, code: "invalid" });
});

test("the short address without a language leads to the browser's", async () => {
  const registerOf = async (path: string, language: string) =>
    (await fetch(path, { headers: { "accept-language": language } })).headers.get("location");
  expect(await registerOf("/store", "de-CH,de;q=0.9")).toMatch(/^\/de\/authenticate\/register/);
  expect(await registerOf("/store", "it")).toMatch(/^\/authenticate\/register/);
  expect(await registerOf("/fr/store", "de")).toMatch(/^\/authenticate\/register/);
});

test("the poster's short address redirects to the page of its QR code, in each language", async () => {
  for (const [code, prefix] of [
    ["fr", ""],
    ["en", "/en"],
    ["de", "/de"],
  ]) {
    const { call } = await addCustomer();
    const { Url, ShortUrl } = await call(readPoster, { LanguageIsoCode: code });
    expect(new URL(ShortUrl).pathname).toBe(`${prefix}/store`);
    const response = await fetch(new URL(ShortUrl).pathname);
    expect(response.status).toBe(302);
    expect(new URL(response.headers.get("location") ?? "", Url).href).toBe(Url);
  }
});
