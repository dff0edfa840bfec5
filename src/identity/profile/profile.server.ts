import { eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { type Locale, localeOfCode } from "#i18n/locale.ts";
import type { editCustomer } from "#identity/calls.ts";
import { isTooYoung, type OptIns, optInErrors, recordOptIns } from "#identity/customer/consent/opt-ins.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { normalisePhone } from "#identity/customer/phone.server.ts";
import type { CustomerResponse } from "#identity/customer/responses.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { type SessionKey, withLockedSession } from "#identity/session/reauthentication/locked-session.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type FieldError, Refusal } from "#platform/refusal.ts";
import type { profileContract } from "./contract.server.ts";

type Edit = z.output<(typeof profileContract)[typeof editCustomer]["input"]>;
type Row = typeof customers.$inferSelect;

/** The requested change; what is absent stays as it is. The phone is as typed, null removes it. */
interface Change extends Partial<Pick<Row, "firstname" | "lastname" | "birthday" | "civility" | "language">> {
  phone?: string | null | undefined;
  optIns: { [Name in keyof OptIns]?: boolean | undefined };
}

/** `PUT customer`. */
export async function editProfile(
  deps: Dependencies,
  edit: Edit,
  caller: SessionKey,
  call: RequestContext,
): Promise<CustomerResponse> {
  const language = localeOfCode(edit.LanguageIsoCode);
  const change: Change = {
    firstname: edit.Firstname,
    lastname: edit.Lastname,
    ...(edit.Birthday && { birthday: edit.Birthday }),
    ...(edit.Civility && { civility: edit.Civility === "none" ? null : edit.Civility }),
    ...(language && { language }),
    phone: edit.MobilePhone === "none" ? null : edit.MobilePhone,
    optIns: { newsletter: edit.NewsletterSubscribe, sms: edit.NewsletterSmsSubscribe },
  };
  const { customerId } = caller;
  await withLockedSession(deps.database, caller, (tx) => applyChange(tx, customerId, change, "profile", call.locale));
  const customer = await deps.readCustomer(customerId);
  if (!customer) throw new Refusal("not_signed_in");
  return customer;
}

/** What the shop may change about a customer: the same rules, the same consent log. */
export async function updateContact(
  queries: Queries,
  customerId: number,
  change: { mobilePhone?: string; newsletter?: boolean; newsletterSms?: boolean },
  locale: Locale,
): Promise<void> {
  const optIns = { newsletter: change.newsletter, sms: change.newsletterSms };
  await applyChange(queries, customerId, { phone: change.mobilePhone, optIns }, "store", locale);
}

/** Needs a transaction: the customer is locked, so that the consent log has concurrent edits one after the other. */
export async function applyChange(
  queries: Queries,
  customerId: number,
  change: Change,
  source: string,
  locale: Locale,
): Promise<void> {
  const [current] = await queries.select().from(customers).where(eq(customers.id, customerId)).for("no key update");
  if (!current) throw new Refusal("not_signed_in");
  const { phone: _, optIns, ...columns } = change;
  const birthday = change.birthday ?? current.birthday;
  const mobilePhone = parsePhone(change, current, locale, birthday);
  const to = {
    // An opt-in that could not be given today ends: without a phone, or under age.
    newsletter: (optIns.newsletter ?? current.newsletter) && !isTooYoung(birthday),
    sms: (optIns.sms ?? current.newsletterSms) && mobilePhone !== null && !isTooYoung(birthday),
  };
  // A first birthday is not a change.
  const birthdayChanged = current.birthday !== null && birthday !== current.birthday;
  await queries
    .update(customers)
    .set({
      ...columns,
      ...(birthdayChanged && { birthdayChangedAt: sql`now()` }),
      mobilePhone,
      newsletter: to.newsletter,
      newsletterSms: to.sms,
      updatedAt: sql`now()`,
    })
    .where(eq(customers.id, customerId));
  const from = { newsletter: current.newsletter, sms: current.newsletterSms };
  await recordOptIns(queries, { customerId, from, to, source, locale });
}

/** Parses the phone, and refuses it together with opt-ins that cannot be given. */
function parsePhone(change: Change, current: Row, locale: Locale, birthday: string | null): string | null {
  const errors: FieldError[] = [];
  const phone = (change.phone && normalisePhone(change.phone, locale)) || null;
  if (change.phone && !phone) errors.push({ field: "MobilePhone", code: "phone" });
  const result = change.phone === undefined ? current.mobilePhone : phone;
  // Only new opt-ins are refused; one given before is withdrawn when it is no longer allowed.
  const asked = {
    newsletter: change.optIns.newsletter === true && !current.newsletter,
    sms: change.optIns.sms === true,
  };
  errors.push(...optInErrors(asked, { birthday, phone: result ?? change.phone }, "NewsletterSubscribe"));
  if (errors.length > 0) throw new Refusal("invalid", { errors });
  return result;
}
