import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { signInWithEmail } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import * as calls from "#office/customers/calls.ts";
import { mergeFields } from "#office/customers/choices.ts";
import type { Input } from "#platform/api/api.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { emailsTo, freshEmail, password } from "#testing/people.server.ts";

const { addMember, as, database, openOffice, passwords } = await openTestOffice();
const [service, owner] = [await openOffice("service"), await openOffice("owner")];
const passwordHash = await passwords.hash(password);

type Facts = Partial<typeof customers.$inferInsert>;
async function member(facts: Facts) {
  const added = await addMember();
  await database
    .update(customers)
    .set({ passwordHash, ...facts })
    .where(eq(customers.id, added.id));
  return added;
}
type Choices = Partial<Omit<Input<typeof calls.mergeCustomers>, "IdCustomer" | "IdOther" | "Reason" | "Note">>;
const recordOf = (id: number) => owner.call(calls.readCustomer, { IdCustomer: id });
/** The fields as the record of a customer says them. */
async function fieldsOf(id: number) {
  const record = await recordOf(id);
  const consents = record.Consents.filter(({ Given, Subject }) => Given && Subject !== "loyalty");
  return {
    Name: `${record.Firstname} ${record.Lastname}`,
    ...{ Email: record.Email, MobilePhone: record.MobilePhone, Birthday: record.Birthday },
    Consent: consents.map(({ Subject }) => Subject).join(",") || null,
    Language: record.LanguageIsoCode,
  };
}

/** One asks with these choices, the other approves. Returns what the preview promised. */
async function mergeWith(survivor: { id: number }, other: { id: number }, choices: Choices = {}) {
  const pair = { IdCustomer: survivor.id, IdOther: other.id, ...choices };
  const planned = await service.call(calls.previewMerge, pair);
  const { IdRequest } = await service.call(calls.mergeCustomers, { ...pair, Reason: "request" });
  await owner.call(calls.approveRequest, { IdRequest });
  return planned;
}
const promised = ({ Fields }: Awaited<ReturnType<typeof mergeWith>>) =>
  Object.fromEntries(Fields.map(({ Field, Survivor, Other, From }) => [Field, From === "other" ? Other : Survivor]));

test("without a choice the confirmed address stays, with its consents, and a birthday or a phone is not lost", async () => {
  const survivor = await member({ emailVerifiedAt: null, birthday: null, mobilePhone: null, language: "de" });
  const other = await member({
    ...{ firstname: "Camille", lastname: "Laurent-Roy", birthday: "1988-02-29", mobilePhone: "+33612345678" },
    ...{ newsletter: true, language: "fr" as const },
  });
  const planned = await mergeWith(survivor, other);
  const result = await fieldsOf(survivor.id);
  expect(result).toEqual(promised(planned));
  expect(result).toMatchObject({ Email: other.email, Birthday: "1988-02-29", Consent: "newsletter", Language: "de" });
  expect((await recordOf(survivor.id)).EmailVerified).toBe(true);
});

test.each(mergeFields)("of %s the chosen value stays, as the preview says", async (field) => {
  const survivor = await member({
    ...{ birthday: "1990-01-02", mobilePhone: "+33611111111", newsletter: true, language: "fr" as const },
  });
  const other = await member({
    ...{ firstname: "Kim", lastname: "Roy", birthday: "1991-03-04", mobilePhone: "+33622222222" },
    ...{ newsletter: true, newsletterSms: true, language: "en" as const },
  });
  const planned = await mergeWith(survivor, other, { [`${field}From`]: "other" });
  expect(planned.Fields.filter(({ From }) => From === "other").map(({ Field }) => Field)).toEqual(
    field === "Email" ? ["Email", "Consent"] : [field],
  );
  const result = await fieldsOf(survivor.id);
  // A consent that was there before has no row of its own in this test.
  expect({ ...result, Consent: null }).toEqual({ ...promised(planned), Consent: null });
});

test("the ways to sign in belong to the address: with the other's address, the other's password signs in", async () => {
  const survivor = await member({ passwordHash: await passwords.hash("old-secret-1") });
  const other = await member({});
  await mergeWith(survivor, other, { EmailFrom: "other" });
  const signInWith = (Email: string, Password: string) => as()(signInWithEmail, { Email, Password });
  expect((await signInWith(other.email, password)).AuthData.Customer.IdCustomer).toBe(survivor.id);
  expect((await refusalOf(signInWith(survivor.email, "old-secret-1"))).status).toBe(401);
  expect((await refusalOf(signInWith(other.email, "old-secret-1"))).status).toBe(401);
  // Who was signed in to the survivor signs in again.
  expect((await refusalOf(survivor.call("GET customer"))).status).toBe(401);
  const [kept, gone] = [await emailsTo(database, other.email), await emailsTo(database, survivor.email)];
  expect(kept.at(-1)?.customerId).toBe(survivor.id);
  expect(gone.at(-1)?.customerId).toBeUndefined();
});

test("the second person reads the choices with the request, and the log has both values of each field", async () => {
  const [survivor, other] = [await member({}), await member({ email: freshEmail("log"), lastname: "Autre" })];
  const asked = { IdCustomer: survivor.id, IdOther: other.id, NameFrom: "other" as const };
  const { IdRequest } = await service.call(calls.mergeCustomers, { ...asked, Reason: "request" });
  const { Requests } = await owner.call(calls.listApprovals);
  const waiting = Requests.find((request) => request.IdRequest === IdRequest);
  expect(waiting?.Choices).toMatchObject({ Name: "other", Email: "survivor" });
  await owner.call(calls.approveRequest, { IdRequest });
  const { rows } = await database.$client.query(
    `select p.personal -> 'fields' as fields from audit_log l join audit_personal p on p.audit_id = l.id
     where l.customer_id = $1 and l.action = 'customers_merged'`,
    [survivor.id],
  );
  expect(rows[0]?.fields).toContainEqual({
    ...{ Field: "Name", Survivor: "Camille Laurent", Other: "Camille Autre", From: "other" },
  });
});
