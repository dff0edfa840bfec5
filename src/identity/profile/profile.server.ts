import { eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { type Locale, localeOfCode } from "#i18n/locale.ts";
import type { editCustomer } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { isTooYoung, type OptIns, optInErrors, recordOptIns } from "#identity/customer/opt-ins.server.ts";
import { normalisePhone } from "#identity/customer/phone.server.ts";
import type { CustomerResponse } from "#identity/customer/responses.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { actWithAuthority, type OwnSession } from "#identity/session/authority.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type FieldError, Refusal } from "#platform/refusal.ts";
import type { profileContract } from "./contract.server.ts";

type Edit = z.output<(typeof profileContract)[typeof editCustomer]["input"]>;
type Row = typeof customers.$inferSelect;

/** What somebody wants changed; what is absent stays as it is. The phone is as written, null removes it. */
interface Change extends Partial<Pick<Row, "firstname" | "lastname" | "birthday" | "civility" | "language">> {
  phone?: string | null | undefined;
  optIns: { [Name in keyof OptIns]?: boolean | undefined };
}

/** `PUT customer`. */
export async function editProfile(
  deps: Dependencies,
  edit: Edit,
  caller: OwnSession,
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
  await actWithAuthority(deps.database, caller, (tx) => applyChange(tx, customerId, change, "profile", call.locale));
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

/** Needs a transaction: the customer is locked, so that two edits at once are two steps of the consent log. */
async function applyChange(
  queries: Queries,
  customerId: number,
  change: Change,
  source: string,
  locale: Locale,
): Promise<void> {
  const [now] = await queries.select().from(customers).where(eq(customers.id, customerId)).for("no key update");
  if (!now) throw new Refusal("not_signed_in");
  const { phone: _, optIns, ...plain } = change;
  const birthday = change.birthday ?? now.birthday;
  const mobilePhone = readPhone(change, now, locale, birthday);
  const to = {
    // Without a phone, or too young, nobody keeps an opt-in that could not be given today.
    newsletter: (optIns.newsletter ?? now.newsletter) && !isTooYoung(birthday),
    sms: (optIns.sms ?? now.newsletterSms) && mobilePhone !== null && !isTooYoung(birthday),
  };
  // Telling a birthday for the first time is not changing it.
  const moved = now.birthday !== null && birthday !== now.birthday;
  await queries
    .update(customers)
    .set({
      ...plain,
      ...(moved && { birthdayChangedAt: sql`now()` }),
      mobilePhone,
      newsletter: to.newsletter,
      newsletterSms: to.sms,
      updatedAt: sql`now()`,
    })
    .where(eq(customers.id, customerId));
  const from = { newsletter: now.newsletter, sms: now.newsletterSms };
  await recordOptIns(queries, { customerId, from, to, source, locale });
}

/** Reads the phone, and refuses it together with opt-ins that cannot be given. */
function readPhone(change: Change, now: Row, locale: Locale, birthday: string | null): string | null {
  const errors: FieldError[] = [];
  const phone = (change.phone && normalisePhone(change.phone, locale)) || null;
  if (change.phone && !phone) errors.push({ field: "MobilePhone", code: "phone" });
  const kept = change.phone === undefined ? now.mobilePhone : phone;
  // Only what is newly asked for is judged; what was given before is withdrawn by itself when it no longer fits.
  const asked = { newsletter: change.optIns.newsletter === true && !now.newsletter, sms: change.optIns.sms === true };
  errors.push(...optInErrors(asked, { birthday, phone: kept ?? change.phone }, "NewsletterSubscribe"));
  if (errors.length > 0) throw new Refusal("invalid", { errors });
  return kept;
}
