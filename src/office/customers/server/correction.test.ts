import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { customers } from "#identity/customer/customer.tables.server.ts";
import * as calls from "#office/customers/calls.ts";
import type { Input } from "#platform/api/api.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { emailsTo, freshEmail, mailedToken } from "#testing/people.server.ts";

const { addCustomer, addMember, clock, database, openOffice } = await openTestOffice();
const service = await openOffice("service");

type Correction = Omit<Input<typeof calls.correctCustomer>, "IdCustomer" | "Reason">;
const correct = ({ id }: { id: number }, correction: Correction, by = service) =>
  by.call(calls.correctCustomer, { IdCustomer: id, Reason: "request", ...correction });
const recordOf = ({ id }: { id: number }) => service.call(calls.readCustomer, { IdCustomer: id });
const rowOf = async ({ id }: { id: number }) =>
  (await database.select().from(customers).where(eq(customers.id, id)))[0];

test("a correction changes what it names and nothing else; the timeline has the values before and after", async () => {
  const member = await addMember();
  await correct(member, { Lastname: "Laurent-Roy", MobilePhone: "06 12 34 56 78", Note: "Mariage" });
  expect(await recordOf(member)).toMatchObject({
    ...{ Firstname: "Camille", Lastname: "Laurent-Roy", MobilePhone: "+33 6 12 34 56 78", Birthday: "1990-07-14" },
  });
  const { Entries } = await service.call(calls.readTimeline, { IdCustomer: member.id, Show: "team" });
  expect(Entries.find(({ Kind }) => Kind === "customer_corrected")).toMatchObject({
    ...{ Reason: "request", Note: "Mariage" },
    After: { fields: ["Lastname", "MobilePhone"] },
    Changes: [
      { Field: "Lastname", Before: "Laurent", After: "Laurent-Roy" },
      { Field: "MobilePhone", Before: null, After: "+33 6 12 34 56 78" },
    ],
  });
  await correct(member, { MobilePhone: "none" });
  expect((await recordOf(member)).MobilePhone).toBeNull();
});

test("what the customer could not enter is refused, at its field", async () => {
  const member = await addMember();
  for (const [correction, field, code] of [
    [{ MobilePhone: "12" }, "MobilePhone", "phone"],
    [{ Birthday: "2099-01-01" }, "Birthday", "birthday_future"],
    [{ Firstname: "www.example.com" }, "Firstname", "name_link"],
    [{ Email: "camille" }, "Email", "email"],
    [{ NewsletterSmsSubscribe: true, ConsentSource: "paper" }, "MobilePhone", "phone_needed"],
  ] as const) {
    const refused = await correct(member, correction).catch((error: { problem?: { errors?: object[] } }) => error);
    expect((refused as { problem?: { errors?: object[] } }).problem?.errors).toMatchObject([{ field, code }]);
  }
});

test("a birthday that staff change is a changed birthday: its event waits as after the customer's own change", async () => {
  const member = await addMember();
  await correct(member, { Birthday: "1990-07-15" });
  expect(await rowOf(member)).toMatchObject({ birthday: "1990-07-15", birthdayChangedAt: expect.any(Date) });
});

test("a consent is withdrawn at once; it is given only with how the customer gave it", async () => {
  const member = await addMember();
  const missing = await correct(member, { NewsletterSubscribe: true }).catch((error: object) => error);
  expect(missing).toMatchObject({ problem: { errors: [{ field: "ConsentSource", code: "required" }] } });
  await correct(member, { NewsletterSubscribe: true, ConsentSource: "paper" });
  await correct(member, { NewsletterSubscribe: false });
  const { rows } = await database.execute(sql`
    select given, source from consent where customer_id = ${member.id} and subject = 'newsletter' order by id`);
  expect(rows).toEqual([
    { given: true, source: "office:paper" },
    { given: false, source: "office" },
  ]);
  expect(await recordOf(member)).toMatchObject({ NewsletterSubscribe: false });
});

test("a confirmed address changes when the customer confirms the new one; both addresses get an email", async () => {
  const member = await addMember();
  const next = freshEmail("nouvelle");
  expect(await correct(member, { Email: next })).toEqual({ EmailChange: "mailed" });
  expect(await recordOf(member)).toMatchObject({ Email: member.email, PendingEmail: next });
  expect((await emailsTo(database, member.email)).at(-1)?.content.text).toContain("/account/email/stop");
  // From here on as after the customer's own change (src/identity/address/email-change.test.ts).
  expect(await mailedToken(database, next)).toBeTruthy();
});

test("an address that no one has confirmed is replaced at once, and the new one is asked to confirm", async () => {
  const customer = await addCustomer({ emailVerifiedAt: null });
  const next = freshEmail("juste");
  expect(await correct(customer, { Email: next })).toEqual({ EmailChange: "replaced" });
  expect(await recordOf(customer)).toMatchObject({ Email: next, EmailVerified: false });
  expect((await emailsTo(database, next)).at(-1)?.content.action.url).toContain("token=");
  expect(await emailsTo(database, customer.email)).toEqual([]);
});

test("another customer's address is refused, and so is a change of address without a fresh proof", async () => {
  const [one, two] = [await addMember(), await addMember()];
  expect(await refusalOf(correct(one, { Email: two.email }))).toMatchObject({ status: 409, code: "email_taken" });
  const late = await openOffice("service");
  const start = clock.now;
  clock.now = new Date(start.getTime() + 20 * 60_000);
  const refused = await refusalOf(correct(one, { Email: freshEmail() }, late));
  await correct(one, { Firstname: "Camilla" }, late);
  clock.now = start;
  expect(refused).toMatchObject({ status: 401, code: "proof_needed" });
});

test("an erasure deletes the values before and after", async () => {
  const member = await addMember();
  await correct(member, { Lastname: "Introuvable" });
  const owner = await openOffice("owner");
  const { IdRequest } = await service.call(calls.eraseCustomer, { IdCustomer: member.id, Reason: "request" });
  await owner.call(calls.approveRequest, { IdRequest });
  const { rows } = await database.execute(sql`
    select from audit_personal where personal::text like '%Introuvable%'
    union all select from audit_log where after::text like '%Introuvable%'`);
  expect(rows).toEqual([]);
});
