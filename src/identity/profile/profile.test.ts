import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { editCustomer, readCustomer } from "#identity/calls.ts";
import { consents } from "#identity/customer/consent/consent.tables.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { enter, form, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { updateContact } from "./profile.server.ts";

const { call, as, fetch, database } = await openTestProduct();
const names = { Firstname: "Léa", Lastname: "Martin" };

const rowOf = async (customerId: number) =>
  (await database.select().from(customers).where(eq(customers.id, customerId)))[0];
const consentsOf = (customerId: number) =>
  database.select().from(consents).where(eq(consents.customerId, customerId)).orderBy(consents.id);

const put = (token: string, fields: object) =>
  fetch("/api/customer", { ...form(fields), method: "PUT", headers: { authorization: `Bearer ${token}` } });

test("the specification's payload, sent as an encoded string, changes the profile and returns 200", async () => {
  const { Token } = await enter(call, registrationForm({ MobilePhone: "0612345678", Civility: "Mme" }));
  const response = await put(Token, {
    Firstname: "Léa-Rose",
    Lastname: "d'Artagnan",
    Birthday: "1991-06-18",
    LanguageIsoCode: "de-DE",
    CurrencyIsoCode: "EUR",
  });
  expect(response.status).toBe(200);
  const customer = await response.json();
  expect(customer).toMatchObject({
    Firstname: "Léa-Rose",
    Lastname: "d'Artagnan",
    Birthday: "1991-06-18",
    LanguageIsoCode: "de",
    // What was not sent stays.
    MobilePhone: "+33612345678",
    Civility: "Mme",
  });
  expect(await as(Token)(readCustomer)).toEqual(customer);
});

test("phone and civility can be removed", async () => {
  const { Token } = await enter(call, registrationForm({ MobilePhone: "0612345678", Civility: "M" }));
  const customer = await as(Token)(editCustomer, { ...names, MobilePhone: "none", Civility: "none" });
  expect(customer).toMatchObject({ MobilePhone: null, Civility: null });
});

test("fields that a client may not set are ignored", async () => {
  const { Token, Customer, email } = await enter(call);
  await put(Token, { ...names, Email: "eve@exemple.fr", IdCustomer: 1, EmailVerified: true, Guest: true, Points: 500 });
  expect(await as(Token)(readCustomer)).toEqual({ ...Customer, Email: email });
});

test.each([
  [{ Firstname: "" }, "Firstname", "required", "Champ requis"],
  [{ Lastname: "Mar\r\ntin" }, "Lastname", "invalid", "Cette valeur n’est pas valide"],
  [{ Birthday: "2999-01-01" }, "Birthday", "birthday_future", expect.stringContaining("Cette date est à venir")],
  [{ MobilePhone: "123" }, "MobilePhone", "phone", expect.stringContaining("numéro de téléphone")],
  [{ NewsletterSmsSubscribe: true }, "MobilePhone", "phone_needed", expect.stringContaining("SMS")],
])("an edit with %j is refused", async (change, field, code, message) => {
  const { Token } = await enter(call);
  const response = await put(Token, { ...names, ...change });
  expect(response.status).toBe(400);
  expect((await response.json()).errors).toEqual([{ field, code, message }]);
});

test("the time of a changed birthday is stored, that of a first birthday is not", async () => {
  const { Token, Customer } = await enter(call);
  await as(Token)(editCustomer, { ...names, Birthday: "1990-05-17" });
  expect((await rowOf(Customer.IdCustomer))?.birthdayChangedAt).toBeNull();
  await database.update(customers).set({ birthday: null }).where(eq(customers.id, Customer.IdCustomer));
  await as(Token)(editCustomer, { ...names, Birthday: "1990-05-18" });
  expect((await rowOf(Customer.IdCustomer))?.birthdayChangedAt).toBeNull();
  await as(Token)(editCustomer, { ...names, Birthday: "1990-05-19" });
  expect((await rowOf(Customer.IdCustomer))?.birthdayChangedAt).toBeInstanceOf(Date);
});

test("every change of an opt-in is one row, an edit that changes none writes none", async () => {
  const { Token, Customer } = await enter(call);
  const edit = (fields: object) => as(Token)(editCustomer, { ...names, ...fields });
  await edit({ NewsletterSubscribe: true });
  await edit({ NewsletterSubscribe: true });
  await edit({});
  await edit({ NewsletterSmsSubscribe: true, MobilePhone: "0612345678" });
  await edit({ NewsletterSubscribe: false });
  const log = (await consentsOf(Customer.IdCustomer)).map(({ subject, given, source }) => [subject, given, source]);
  expect(log).toEqual([
    ["newsletter", true, "profile"],
    ["sms", true, "profile"],
    ["newsletter", false, "profile"],
  ]);
});

test("without its phone the SMS opt-in ends, and the log says so", async () => {
  const { Token, Customer } = await enter(
    call,
    registrationForm({ MobilePhone: "0612345678", NewsletterSmsSubscribe: true }),
  );
  const customer = await as(Token)(editCustomer, { ...names, MobilePhone: "none" });
  expect(customer).toMatchObject({ MobilePhone: null, NewsletterSmsSubscribe: false });
  expect((await consentsOf(Customer.IdCustomer)).at(-1)).toMatchObject({ subject: "sms", given: false });
});

test("somebody who turns out to be under 15 keeps no opt-in and cannot give one", async () => {
  const { Token, Customer } = await enter(call, registrationForm({ NewletterActive: true }));
  const Birthday = `${new Date().getUTCFullYear() - 10}-01-01`;
  expect(await as(Token)(editCustomer, { ...names, Birthday })).toMatchObject({ NewsletterSubscribe: false });
  expect((await consentsOf(Customer.IdCustomer)).at(-1)).toMatchObject({ subject: "newsletter", given: false });
  const refused = await put(Token, { ...names, NewsletterSubscribe: true });
  expect((await refused.json()).errors).toMatchObject([{ field: "NewsletterSubscribe", code: "under_age" }]);
});

test("after concurrent edits the consent shown is the last of the log", async () => {
  const { Token, Customer } = await enter(call);
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => as(Token)(editCustomer, { ...names, NewsletterSubscribe: i % 2 === 0 })),
  );
  const log = await consentsOf(Customer.IdCustomer);
  for (const [i, { given }] of log.entries()) expect(given).toBe(i % 2 === 0);
  expect((await as(Token)(readCustomer)).NewsletterSubscribe).toBe(log.at(-1)?.given);
});

test("the shop changes phone and opt-ins by the same rules", async () => {
  const { Customer } = await enter(call);
  const id = Customer.IdCustomer;
  const change = (fields: Parameters<typeof updateContact>[2]) =>
    database.transaction((tx) => updateContact(tx, id, fields, "fr"));
  await expect(change({ newsletterSms: true })).rejects.toMatchObject({ code: "invalid" });
  await change({ mobilePhone: "06 12 34 56 78", newsletterSms: true });
  expect(await rowOf(id)).toMatchObject({ mobilePhone: "+33612345678", newsletterSms: true, newsletter: false });
  const [last] = await database.select().from(consents).where(eq(consents.customerId, id)).orderBy(desc(consents.id));
  expect(last).toMatchObject({ subject: "sms", given: true, source: "store" });
});
