import { eq, sql } from "drizzle-orm";
import { isTooYoung } from "#identity/customer/consent/opt-ins.server.ts";
import { claimEmail } from "#identity/customer/customer.server.ts";
import { customerEmails, customers } from "#identity/customer/customer.tables.server.ts";
import { passkeys } from "#identity/customer/passkey.tables.server.ts";
import { readablePhone } from "#identity/customer/phone.server.ts";
import { socialLogins } from "#identity/customer/social-login.tables.server.ts";
import { endLinks } from "#identity/links/links.server.ts";
import { applyChange } from "#identity/profile/profile.server.ts";
import { endSessions } from "#identity/session/session.server.ts";
import { type MergeChoices, type MergeField, mergeFields } from "#office/customers/choices.ts";
import type { Queries } from "#platform/database/database.server.ts";

type Account = typeof customers.$inferSelect;

/**
 * Whose value stays where no one has chosen: a confirmed address before one that is not, a phone or a birthday before none.
 * Consents stay with the address for which they were given.
 */
export function chooseFields(survivor: Account, other: Account, chosen: Partial<MergeChoices>): MergeChoices {
  const filled = (mine: string | null, theirs: string | null) =>
    mine === null && theirs !== null ? ("other" as const) : ("survivor" as const);
  const Email = chosen.Email ?? (!survivor.emailVerifiedAt && other.emailVerifiedAt ? "other" : "survivor");
  return {
    ...{ Name: "survivor", Language: "survivor", Consent: Email },
    MobilePhone: filled(survivor.mobilePhone, other.mobilePhone),
    Birthday: filled(survivor.birthday, other.birthday),
    ...chosen,
    Email,
  };
}

/** Writes the values that stay into the survivor's account. Both are locked. */
export async function keepFields(tx: Queries, survivor: Account, other: Account, choices: MergeChoices): Promise<void> {
  const of = (field: MergeField) => (choices[field] === "other" ? other : survivor);
  if (choices.Email === "other") await moveAddress(tx, survivor, other);
  const { firstname, lastname, civility } = of("Name");
  const { birthday } = of("Birthday");
  const { mobilePhone: phone } = of("MobilePhone");
  const { language } = of("Language");
  const { newsletter, newsletterSms } = of("Consent");
  const allowed = !isTooYoung(birthday);
  const optIns = { newsletter: newsletter && allowed, sms: newsletterSms && allowed && phone !== null };
  const change = { firstname, lastname, civility, birthday, language, phone, optIns };
  await applyChange(tx, survivor.id, change, "merge", language);
}

/** The ways to sign in belong to the address: those of the other account replace the survivor's, whose sessions end. */
async function moveAddress(tx: Queries, survivor: Account, other: Account): Promise<void> {
  for (const { id } of [survivor, other]) await tx.delete(customerEmails).where(eq(customerEmails.customerId, id));
  await claimEmail(tx, { id: survivor.id, email: other.email });
  const { email, emailVerifiedAt, passwordHash } = other;
  await tx.update(customers).set({ email, emailVerifiedAt, passwordHash }).where(eq(customers.id, survivor.id));
  await endSessions(tx, survivor.id);
  await endLinks(tx, survivor.id);
  await tx.delete(socialLogins).where(eq(socialLogins.customerId, survivor.id));
  await tx.delete(passkeys).where(eq(passkeys.customerId, survivor.id));
  await tx.execute(sql`
    insert into social_login (customer_id, provider, created_at)
    select ${survivor.id}, provider, created_at from social_login where customer_id = ${other.id}`);
  await tx.execute(sql`
    insert into passkey (customer_id, id, name, public_key, counter, transports, created_at, last_used_at)
    overriding system value
    select ${survivor.id}, id, name, public_key, counter, transports, created_at, last_used_at
    from passkey where customer_id = ${other.id}`);
  for (const table of ["social_account", "passkey_credential"])
    await tx.execute(
      sql`update ${sql.identifier(table)} set customer_id = ${survivor.id} where customer_id = ${other.id}`,
    );
}

export const describeAccount = ({ firstname, lastname, email, emailVerifiedAt }: Account) => ({
  Firstname: firstname,
  Lastname: lastname,
  Email: email,
  EmailVerified: emailVerifiedAt !== null,
});

/** Of each field both values, and whose stays. */
export const describeFields = (survivor: Account, other: Account, choices: MergeChoices) =>
  mergeFields.map((field) => ({
    Field: field,
    Survivor: textOf(survivor, field),
    Other: textOf(other, field),
    From: choices[field],
  }));

function textOf(account: Account, field: MergeField): string | null {
  switch (field) {
    case "Name":
      return `${account.firstname} ${account.lastname}`;
    case "Email":
      return account.email;
    case "MobilePhone":
      return account.mobilePhone && readablePhone(account.mobilePhone);
    case "Birthday":
      return account.birthday;
    case "Consent":
      return [account.newsletter && "newsletter", account.newsletterSms && "sms"].filter(Boolean).join(",") || null;
    case "Language":
      return account.language;
  }
}
