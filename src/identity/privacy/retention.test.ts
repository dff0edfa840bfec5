import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { readCustomer, signInWithEmail } from "#identity/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { emailsTo, enter, guestForm, password, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { call, as, database, runJobs } = await openTestProduct();

/** Sets how long ago the customer was last seen and notified. */
async function setTimes(id: number, ago: { seen?: string; notified?: string }) {
  if (ago.seen)
    await database.execute(sql`update customer set last_seen_at = now() - ${ago.seen}::interval where id = ${id}`);
  if (ago.notified)
    await database.execute(
      sql`update customer set idle_notified_at = now() - ${ago.notified}::interval where id = ${id}`,
    );
}

/** Runs the daily job. */
async function oneDay() {
  await queueJob(database, "identity.retention", {});
  await runJobs();
}

const subjects = async (email: string) => (await emailsTo(database, email)).map(({ content: mail }) => mail.subject);
const exists = async (id: number) =>
  (await database.execute(sql`select 1 from customer where id = ${id}`)).rows.length === 1;

test.each<[Locale, string, string]>([
  ["fr", "Souhaitez-vous garder votre compte\u202f?", "Me connecter"],
  ["en", "Would you like to keep your account?", "Sign in"],
  ["de", "Möchten Sie Ihr Konto behalten?", "Anmelden"],
])(
  "after three years without a visit the customer is notified once, and erased 30 days later, in %s",
  async (LanguageIsoCode, subject, action) => {
    const { email, Customer } = await enter(call, registrationForm({ LanguageIsoCode, LoyaltySubscribe: true }));
    const id = Customer.IdCustomer;
    await setTimes(id, { seen: "3 years 1 day" });
    await database.execute(sql`alter table loyalty_entry disable trigger loyalty_entry_stays`);
    await database.execute(sql`update loyalty_entry set at = now() - interval '4 years' where customer_id = ${id}`);
    await database.execute(sql`alter table loyalty_entry enable trigger loyalty_entry_stays`);
    await oneDay();
    await oneDay();
    expect((await subjects(email)).filter((one) => one === subject)).toHaveLength(1);
    const mail = (await emailsTo(database, email)).at(-1)?.content;
    expect(mail?.text).toContain(action);
    expect(mail?.text).toContain("/authenticate/login");

    await setTimes(id, { notified: "29 days" });
    await oneDay();
    expect(await exists(id)).toBe(true);
    await setTimes(id, { notified: "31 days" });
    await oneDay();
    expect(await exists(id)).toBe(false);
    const farewell = (await emailsTo(database, email)).at(-1);
    expect(farewell?.customerId).toBeUndefined();
    expect(farewell?.content.text).toContain(textsOf[LanguageIsoCode].t("mail.idle.erased"));
  },
);

test("a visit after the notice keeps the account, and a later absence is notified again", async () => {
  const { email, Customer } = await enter(call);
  const id = Customer.IdCustomer;
  await setTimes(id, { seen: "3 years 1 day" });
  await oneDay();
  const { AuthData } = await call(signInWithEmail, { Email: email, Password: password });
  await setTimes(id, { notified: "40 days" });
  await oneDay();
  expect((await as(AuthData.Token)(readCustomer)).Email).toBe(email);
  const before = (await subjects(email)).length;
  await setTimes(id, { seen: "3 years 1 day", notified: "3 years 40 days" });
  await oneDay();
  expect(await exists(id)).toBe(true);
  expect((await subjects(email)).length).toBe(before + 1);
});

test("somebody seen less than three years ago is not notified", async () => {
  const { email, Customer } = await enter(call);
  await setTimes(Customer.IdCustomer, { seen: "2 years 360 days" });
  const before = await subjects(email);
  await oneDay();
  expect(await subjects(email)).toEqual(before);
});

test("a card that is used at the till is a visit, before the notice and after it", async () => {
  for (const notified of [undefined, "31 days"]) {
    const { email, Customer } = await enter(call, registrationForm({ LoyaltySubscribe: true }));
    const customerId = Customer.IdCustomer;
    await setTimes(customerId, { seen: "3 years 1 day", ...(notified && { notified }) });
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

test("a guest's record is erased after three years, without a mail", async () => {
  const { email, Customer } = await enter(call, guestForm());
  await setTimes(Customer.IdCustomer, { seen: "3 years 1 day" });
  await oneDay();
  expect(await exists(Customer.IdCustomer)).toBe(false);
  expect(await subjects(email)).toEqual([]);
});
