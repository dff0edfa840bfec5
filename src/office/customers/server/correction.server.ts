import { eq } from "drizzle-orm";
import type { z } from "zod";
import { mailEmailChange, replaceUnconfirmedEmail } from "#identity/address/email-change.server.ts";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { isEmailTaken } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { readablePhone } from "#identity/customer/phone.server.ts";
import { applyChange } from "#identity/profile/profile.server.ts";
import type { correctCustomer } from "#office/customers/calls.ts";
import { correctedFields } from "#office/customers/choices.ts";
import { refuseWithoutProof } from "#office/sign-in/session.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { mailConfirmation, refuseFlood } from "./account-actions.server.ts";
import type { actionsContract } from "./actions-contract.server.ts";
import { auditAction, type CustomerActionContext, lockForAction } from "./customer-action.server.ts";

type Correction = Omit<
  z.output<(typeof actionsContract)[typeof correctCustomer]["input"]>,
  "IdCustomer" | "Reason" | "Note"
>;
type Row = typeof customers.$inferSelect;
type Values = Partial<Record<(typeof correctedFields)[number], string | boolean | null>>;

/**
 * Staff correct a customer's details by the rules that hold for the customer: limits of the birthday, age and phone of the
 * opt-ins, both emails of a changed address. The values before and after are in the audit log, where an erasure deletes them.
 */
export async function correctDetails(
  tx: Queries,
  deps: { settings: Settings; club: ClubHooks },
  customerId: number,
  correction: Correction,
  action: CustomerActionContext,
) {
  await lockForAction(tx, customerId);
  const before = await readRow(tx, customerId);
  const { Firstname, Lastname, Birthday, MobilePhone, ConsentSource } = correction;
  const optIns = { newsletter: correction.NewsletterSubscribe, sms: correction.NewsletterSmsSubscribe };
  const gives = (optIns.newsletter && !before.newsletter) || (optIns.sms && !before.newsletterSms);
  if (gives && !ConsentSource) throw new Refusal("invalid", { errors: [{ field: "ConsentSource", code: "required" }] });
  const change = {
    ...(Firstname && { firstname: Firstname }),
    ...(Lastname && { lastname: Lastname }),
    ...(Birthday && { birthday: Birthday }),
    ...(MobilePhone && { phone: MobilePhone === "none" ? null : MobilePhone }),
    optIns,
  };
  await applyChange(tx, customerId, change, gives ? `office:${ConsentSource}` : "office", before.language);
  const after = await readRow(tx, customerId);
  const newEmail = correction.Email ?? before.email;
  const EmailChange =
    newEmail === before.email ? ("none" as const) : await changeEmail(tx, deps, { ...after, newEmail }, action);
  await auditCorrection(tx, action, before, { ...after, email: newEmail });
  return { EmailChange };
}

async function readRow(tx: Queries, customerId: number): Promise<Row> {
  const [row] = await tx.select().from(customers).where(eq(customers.id, customerId));
  if (!row) throw new Refusal("not_found");
  return row;
}

/** With a fresh proof: who has the address has the account. */
async function changeEmail(
  tx: Queries,
  { settings, club }: { settings: Settings; club: ClubHooks },
  customer: Row & { newEmail: string },
  { caller, now }: CustomerActionContext,
) {
  const { id, newEmail: email, language } = customer;
  await refuseWithoutProof(tx, caller, now);
  if (settings.rateLimits) await refuseFlood(tx, id, now);
  if (await isEmailTaken(tx, email)) throw new Refusal("email_taken");
  if (customer.emailVerifiedAt) {
    await mailEmailChange(tx, { settings }, customer, language);
    return "mailed" as const;
  }
  await replaceUnconfirmedEmail(tx, club, customer, email);
  await mailConfirmation(tx, settings, { ...customer, email }, language);
  return "replaced" as const;
}

const valuesOf = (row: Row): Values => ({
  Firstname: row.firstname,
  Lastname: row.lastname,
  Email: row.email,
  MobilePhone: row.mobilePhone && readablePhone(row.mobilePhone),
  Birthday: row.birthday,
  Newsletter: row.newsletter,
  Sms: row.newsletterSms,
});

async function auditCorrection(tx: Queries, action: CustomerActionContext, before: Row, after: Row): Promise<void> {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const changed = correctedFields.filter((field) => was[field] !== is[field]);
  const only = (values: Values) => Object.fromEntries(changed.map((field) => [field, values[field]]));
  await auditAction(tx, action, {
    ...{ action: "customer_corrected", customerId: before.id, after: { fields: changed } },
    personal: { before: only(was), after: only(is) },
  });
}
