import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { textsOf } from "#i18n/texts.server.ts";
import { readCustomer, signInWithEmail } from "#identity/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { enter, guestForm, lettersTo, password, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { call, as, database, runJobs } = await openTestProduct();

/** As if somebody had been seen last, and told, this long ago. */
async function move(id: number, moved: { seen?: string; told?: string }) {
  if (moved.seen)
    await database.execute(sql`update customer set last_seen_at = now() - ${moved.seen}::interval where id = ${id}`);
  if (moved.told)
    await database.execute(sql`update customer set idle_told_at = now() - ${moved.told}::interval where id = ${id}`);
}

/** The day's work. */
async function oneDay() {
  await queueJob(database, "identity.retention", {});
  await runJobs();
}

const subjects = async (email: string) => (await lettersTo(database, email)).map(({ letter }) => letter.subject);
const exists = async (id: number) =>
  (await database.execute(sql`select 1 from customer where id = ${id}`)).rows.length === 1;

test.each([
  ["fr", "Souhaitez-vous garder votre compte\u202f?", "Me connecter"],
  ["en", "Would you like to keep your account?", "Sign in"],
  ["de", "Möchten Sie Ihr Konto behalten?", "Anmelden"],
] as const)(
  "after three years without a visit an account is told once, and erased 30 days later, in %s",
  async (LanguageIsoCode, subject, action) => {
    const { email, Customer } = await enter(call, registrationForm({ LanguageIsoCode, LoyaltySubscribe: true }));
    const id = Customer.IdCustomer;
    await move(id, { seen: "3 years 1 day" });
    await database.execute(sql`alter table loyalty_entry disable trigger loyalty_entry_stays`);
    await database.execute(sql`update loyalty_entry set at = now() - interval '4 years' where customer_id = ${id}`);
    await database.execute(sql`alter table loyalty_entry enable trigger loyalty_entry_stays`);
    await oneDay();
    await oneDay();
    expect((await subjects(email)).filter((one) => one === subject)).toHaveLength(1);
    const letter = (await lettersTo(database, email)).at(-1)?.letter;
    expect(letter?.text).toContain(action);
    expect(letter?.text).toContain("/authenticate/login");

    await move(id, { told: "29 days" });
    await oneDay();
    expect(await exists(id)).toBe(true);
    await move(id, { told: "31 days" });
    await oneDay();
    expect(await exists(id)).toBe(false);
    const farewell = (await lettersTo(database, email)).at(-1);
    expect(farewell?.customerId).toBeUndefined();
    // The farewell of an erasure that the customer asked for says so; this one nobody asked for.
    const { t } = textsOf[LanguageIsoCode];
    expect(farewell?.letter.text).not.toContain(t("mail.erased.text"));
    expect(farewell?.letter.text).toContain(t("mail.idle.erased"));
  },
);

test("a visit after the notice keeps the account, and a later absence is told anew", async () => {
  const { email, Customer } = await enter(call);
  const id = Customer.IdCustomer;
  await move(id, { seen: "3 years 1 day" });
  await oneDay();
  const { AuthData } = await call(signInWithEmail, { Email: email, Password: password });
  await move(id, { told: "40 days" });
  await oneDay();
  expect((await as(AuthData.Token)(readCustomer)).Email).toBe(email);
  const before = (await subjects(email)).length;
  await move(id, { seen: "3 years 1 day", told: "3 years 40 days" });
  await oneDay();
  expect(await exists(id)).toBe(true);
  expect((await subjects(email)).length).toBe(before + 1);
});

test("somebody seen less than three years ago hears nothing", async () => {
  const { email, Customer } = await enter(call);
  await move(Customer.IdCustomer, { seen: "2 years 360 days" });
  const before = await subjects(email);
  await oneDay();
  expect(await subjects(email)).toEqual(before);
});

test("a card that is used at the till is a visit, before the notice and after it", async () => {
  for (const told of [undefined, "31 days"]) {
    const { email, Customer } = await enter(call, registrationForm({ LoyaltySubscribe: true }));
    const customerId = Customer.IdCustomer;
    await move(customerId, { seen: "3 years 1 day", ...(told && { told }) });
    const purchase = {
      customerId,
      points: 10,
      kind: "grant" as const,
      cause: "grant:till",
      label: {},
      now: new Date(),
    };
    await credit(database, purchase);
    const before = await subjects(email);
    await oneDay();
    expect(await exists(customerId)).toBe(true);
    expect(await subjects(email)).toEqual(before);
  }
});

test("a guest's record ends after three years, without a letter", async () => {
  const { email, Customer } = await enter(call, guestForm());
  await move(Customer.IdCustomer, { seen: "3 years 1 day" });
  await oneDay();
  expect(await exists(Customer.IdCustomer)).toBe(false);
  expect(await subjects(email)).toEqual([]);
});
