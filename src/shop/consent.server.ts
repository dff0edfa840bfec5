import { eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { normaliseEmail } from "#identity/customer/email/email.server.ts";
import { normalisePhone } from "#identity/customer/phone.server.ts";
import { applyChange } from "#identity/profile/profile.server.ts";
import type { Channel } from "#loyalty/segments/segment.ts";
import type { Database } from "#platform/database/database.server.ts";
import { refuseField } from "#platform/refusal.ts";

interface Named {
  Email?: string | undefined;
  MobilePhone?: string | undefined;
  IdCustomer?: string | undefined;
  Channel: Channel;
}

/**
 * A mailing tool tells that somebody has unsubscribed. Consent can only be withdrawn from outside, never given, and the
 * response does not tell whether there is such a customer.
 */
export async function withdrawConsent(database: Database, named: Named, locale: Locale): Promise<void> {
  const { Email, MobilePhone, IdCustomer, Channel: channel } = named;
  // What is no address and no number is nobody's.
  const email = Email === undefined ? undefined : (normaliseEmail(Email) ?? "");
  const phone = MobilePhone === undefined ? undefined : (normalisePhone(MobilePhone, locale) ?? "");
  const given = [Email, MobilePhone, IdCustomer].filter((one) => one !== undefined);
  if (given.length === 0) refuseField("Email", "required");
  if (given.length > 1) refuseField("IdCustomer", "twice");
  const found = await database
    .select({ id: customers.id, language: customers.language })
    .from(customers)
    .where(
      email !== undefined
        ? eq(customers.email, email)
        : phone !== undefined
          ? eq(customers.mobilePhone, phone)
          : sql`${customers.id} = customer_of_subject(${IdCustomer ?? null}::uuid)`,
    );
  const optIns = channel === "email" ? { newsletter: false } : { sms: false };
  for (const { id, language } of found)
    await database.transaction((tx) => applyChange(tx, id, { optIns }, "unsubscribe", language));
}
