import { clubDay } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";
import { ageOn, marketingAge } from "#identity/customer/age.ts";
import type { Queries } from "#platform/database/database.server.ts";
import type { FieldError } from "#platform/refusal.ts";
import { recordConsent } from "./consent.server.ts";

/** The two opt-ins to marketing messages. */
export interface OptIns {
  newsletter: boolean;
  sms: boolean;
}

/** Too young for marketing consent. A customer without a birthday counts as an adult. */
export function isTooYoung(birthday: string | null | undefined): boolean {
  return Boolean(birthday) && ageOn(birthday ?? "", clubDay()) < marketingAge;
}

/** Why the requested opt-ins are refused, if they are. `field` is the form's name for the email one. */
export function optInErrors(
  asked: Partial<OptIns>,
  person: { birthday: string | null | undefined; phone: string | null | undefined },
  field: "NewletterActive" | "NewsletterSubscribe",
): FieldError[] {
  const errors: FieldError[] = [];
  const tooYoung = isTooYoung(person.birthday);
  if (asked.newsletter && tooYoung) errors.push({ field, code: "under_age" });
  if (asked.sms && tooYoung) errors.push({ field: "NewsletterSmsSubscribe", code: "under_age" });
  if (asked.sms && !person.phone) errors.push({ field: "MobilePhone", code: "phone_needed" });
  return errors;
}

/** One row in the consent log for each opt-in that changes. */
export async function recordOptIns(
  queries: Queries,
  change: { customerId: number; from: OptIns; to: OptIns; source: string; locale: Locale },
): Promise<void> {
  const { customerId, from, to, source, locale } = change;
  for (const subject of ["newsletter", "sms"] as const)
    if (from[subject] !== to[subject])
      await recordConsent(queries, { customerId, subject, given: to[subject], source, locale });
}
