import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { clubDay } from "#i18n/club-day.ts";
import { askEmailAvailable, readCustomer, register, signInWithEmail } from "#identity/calls.ts";
import { consents } from "#identity/customer/consent/consent.tables.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { emailsTo, enter, form, freshEmail, password, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { call, as, fetch, database } = await openTestProduct();

const consentsOf = (customerId: number) =>
  database.select().from(consents).where(eq(consents.customerId, customerId)).orderBy(consents.id);

/** The birthday of a person who turns `years` today, shifted by some days. */
function birthdayAt(years: number, shiftDays = 0): string {
  const today = clubDay();
  const day = new Date(`${Number(today.slice(0, 4)) - years}${today.slice(4)}T12:00:00Z`);
  return new Date(day.getTime() + shiftDays * 86_400_000).toISOString().slice(0, 10);
}

test("registering signs in and returns the customer as the contract spells it", async () => {
  const email = freshEmail();
  const { AuthData } = await call(register, registrationForm({ Email: `  ${email.toUpperCase()} `, Civility: "Mme" }));
  expect(AuthData).toMatchObject({
    TokenType: "Bearer",
    Token: expect.stringMatching(/^[\w-]{43}$/),
    Customer: {
      Email: email,
      Firstname: "Léa",
      Lastname: "Martin",
      Civility: "Mme",
      Birthday: "1990-05-17",
      MobilePhone: null,
      LanguageIsoCode: "fr",
      CurrencyIsoCode: "EUR",
      Guest: false,
      Active: true,
      EmailVerified: false,
      HasPassword: true,
      NewsletterSubscribe: false,
      NewsletterSmsSubscribe: false,
      LoyaltySubscribe: false,
      SocialLogins: [],
    },
  });
  expect(await as(AuthData.Token)(readCustomer)).toEqual(AuthData.Customer);
});

test("the confirmation is mailed in the transaction of the registration, in the customer's language", async () => {
  const { email } = await enter(call, registrationForm({ LanguageIsoCode: "de-DE" }));
  const emails = await emailsTo(database, email);
  expect(emails.map(({ locale, content: mail }) => [locale, mail.subject])).toEqual([
    ["de", "Bestätigen Sie Ihre E‑Mail-Adresse"],
  ]);
  expect(emails[0]?.content.action?.url).toMatch(/^http:\/\/localhost:3000\/de\/account\/email\?token=[\w-]{43}$/);
});

test.each([
  ["fr", "Cette adresse e-mail est déjà utilisée"],
  ["en", "This email address is already in use"],
  ["de", "Diese E‑Mail-Adresse wird bereits verwendet"],
])("an address in use is refused in %s", async (LanguageIsoCode, detail) => {
  const { email } = await enter(call);
  const response = await fetch("/api/customer", form(registrationForm({ Email: email, LanguageIsoCode })));
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: "email_taken", detail });
  expect(response.headers.getSetCookie()).toEqual([]);
});

test("of 50 concurrent registrations of one address one succeeds", async () => {
  const Email = freshEmail();
  const spellings = [Email, Email.toUpperCase(), ` ${Email}`];
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      fetch("/api/customer", form(registrationForm({ Email: spellings[i % 3] ?? Email, Firstname: `Léa ${i}` }))),
    ),
  );
  expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(49).fill(409)]);
  expect(await database.select().from(customers).where(eq(customers.email, Email))).toHaveLength(1);
  expect(await emailsTo(database, Email)).toHaveLength(1);
});

test("fields that a client may not set are ignored", async () => {
  const Email = freshEmail();
  const planted = { Active: false, Guest: true, IdCustomer: 1, Points: 9999, EmailVerified: true, passwordHash: "x" };
  const response = await fetch("/api/customer", form({ ...registrationForm({ Email }), ...planted }));
  expect(response.status).toBe(200);
  const { Customer } = (await response.json()).AuthData;
  expect(Customer).toMatchObject({ Guest: false, Active: true, EmailVerified: false, HasPassword: true });
  expect(Customer.IdCustomer).not.toBe(1);
  expect(Customer).not.toHaveProperty("Points");
  await call(signInWithEmail, { Email, Password: password });
});

test("all missing fields are reported at once, in the caller's language", async () => {
  const response = await fetch("/api/customer", form({ LanguageIsoCode: "fr", Email: "" }));
  expect(response.status).toBe(400);
  const { errors } = await response.json();
  expect(errors).toEqual(
    ["Email", "Firstname", "Lastname", "Password", "Birthday"].map((field) => ({
      field,
      code: "required",
      message: "Champ requis",
    })),
  );
});

test.each([
  ["Email", "lea@exemple", "email"],
  ["Email", "lea exemple.fr", "email"],
  ["Email", "a@b@c.fr\r\nBcc: x@y.fr", "email"],
  ["Email", "lea@127.0.0.1", "email"],
  ["Firstname", "Léa\r\nBcc: tous@exemple.fr", "invalid"],
  ["Lastname", "Mar\u2028tin", "invalid"],
  ["Firstname", "L\u0000a", "invalid"],
  ["Firstname", "x".repeat(101), "too_long"],
  ["Password", "12345", "password_length"],
  ["Password", "1234567890123456", "password_length"],
  ["Password", "🧵🧵🧵🧵🧵", "password_length"],
  ["Birthday", "1990-02-30", "date"],
  ["Birthday", "17/05/1990", "date"],
  ["Birthday", "1899-12-31", "birthday"],
  ["Birthday", birthdayAt(0), "birthday_future"],
  ["Civility", "Dr", "invalid"],
  ["MobilePhone", "06 12", "phone"],
  ["MobilePhone", "call me", "phone"],
  ["NewletterActive", "yes please", "invalid"],
  ["CurrencyIsoCode", "USD", "currency"],
])("%s = %j is refused as %s", async (field, value, code) => {
  const response = await fetch("/api/customer", form(registrationForm({ [field]: value })));
  expect(response.status).toBe(400);
  expect((await response.json()).errors).toMatchObject([{ field, code }]);
});

test.each([["123456"], ["123456789012345"], ["🧵🧵🧵🧵🧵🧵"], ["      "], ["été d'été"]])(
  "the password %j is accepted and opens the account",
  async (Password) => {
    const { email } = await enter(call, registrationForm({ Password }));
    await call(signInWithEmail, { Email: email, Password });
  },
);

test("a password with a decomposed accent is the same password", async () => {
  const { email } = await enter(call, registrationForm({ Password: "\u00e9t\u00e9 2024" }));
  await call(signInWithEmail, { Email: email, Password: "e\u0301te\u0301 2024" });
});

test.each([
  ["fr", "06 12 34 56 78", "+33612345678"],
  ["fr", "06.12.34.56.78", "+33612345678"],
  ["fr", "+33 (0)6 12 34 56 78", "+33612345678"],
  ["fr", "06\u00a012\u202f34 56 78", "+33612345678"],
  ["fr", "0049 151 23456789", "+4915123456789"],
  ["de", "0151/23456789", "+4915123456789"],
  ["de", "+49 (0)151 23456789", "+4915123456789"],
  ["en", "+44 7911 123456", "+447911123456"],
  ["en", "+1 (415) 555-2671", "+14155552671"],
])("in %s the phone %j is stored as %s", async (LanguageIsoCode, MobilePhone, stored) => {
  const { Customer } = await enter(call, registrationForm({ LanguageIsoCode, MobilePhone }));
  expect(Customer.MobilePhone).toBe(stored);
});

test("opt-ins are off unless checked, and each one given is a row of the consent log", async () => {
  const plain = await enter(call);
  expect(await consentsOf(plain.Customer.IdCustomer)).toEqual([]);
  const { Customer } = await enter(
    call,
    registrationForm({ NewletterActive: "on", NewsletterSmsSubscribe: true, MobilePhone: "0612345678" }),
  );
  expect(Customer).toMatchObject({ NewsletterSubscribe: true, NewsletterSmsSubscribe: true });
  expect(await consentsOf(Customer.IdCustomer)).toMatchObject([
    { subject: "newsletter", given: true, source: "registration", textVersion: expect.stringMatching(/^fr-\w{8}$/) },
    { subject: "sms", given: true, source: "registration" },
  ]);
});

test("a registration opened in the shop stores that origin, and so do its consents", async () => {
  const { Customer } = await enter(call, registrationForm({ Origin: "store", NewletterActive: true }));
  const [row] = await database.select().from(customers).where(eq(customers.id, Customer.IdCustomer));
  expect(row?.origin).toBe("store");
  expect(await consentsOf(Customer.IdCustomer)).toMatchObject([{ source: "store" }]);
});

test("the SMS opt-in needs a phone", async () => {
  const response = await fetch("/api/customer", form(registrationForm({ NewsletterSmsSubscribe: true })));
  expect((await response.json()).errors).toEqual([
    { field: "MobilePhone", code: "phone_needed", message: "Indiquez un numéro de téléphone pour recevoir nos SMS" },
  ]);
});

test("nobody under 15 may opt in to messages; on the 15th birthday one may", async () => {
  const asked = { NewletterActive: true, NewsletterSmsSubscribe: true, MobilePhone: "0612345678" };
  const young = await fetch("/api/customer", form(registrationForm({ Birthday: birthdayAt(15, 1), ...asked })));
  expect((await young.json()).errors).toMatchObject([
    { field: "NewletterActive", code: "under_age" },
    { field: "NewsletterSmsSubscribe", code: "under_age" },
  ]);
  await enter(call, registrationForm({ Birthday: birthdayAt(15, 1) }));
  const { Customer } = await enter(call, registrationForm({ Birthday: birthdayAt(15), ...asked }));
  expect(Customer.NewsletterSubscribe).toBe(true);
});

test("an address is available until it is registered, however it is written", async () => {
  const Email = freshEmail();
  expect(await call(askEmailAvailable, { Email })).toEqual({ Available: true });
  await enter(call, registrationForm({ Email }));
  expect(await call(askEmailAvailable, { Email: Email.toUpperCase() })).toEqual({ Available: false });
});

test("an internationalised domain and its ASCII form are one address", async () => {
  const local = freshEmail().split("@")[0];
  const { email } = await enter(call, registrationForm({ Email: `${local}@Bücher.example` }));
  expect(email).toBe(`${local}@xn--bcher-kva.example`);
  expect(await call(askEmailAvailable, { Email: `${local}@BÜCHER.example` })).toEqual({ Available: false });
});
