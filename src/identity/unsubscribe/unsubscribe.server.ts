import { createHmac, timingSafeEqual } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { linkUrl } from "#identity/links/links.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { applyChange } from "#identity/profile/profile.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { storedSecret } from "#platform/database/keys/stored-keys.server.ts";
import { Refusal } from "#platform/refusal.ts";

/**
 * Links that withdraw the consent to the newsletter, and do nothing else: of the address of every offer (RFC 8058). They are
 * signed instead of stored, so that the one in an email of last year still works, whatever happened to the account since.
 */
export function createUnsubscribeLinks(database: Database) {
  const secret = storedSecret(database, "unsubscribe");
  const signatureOf = async (subject: string) =>
    createHmac("sha256", await secret())
      .update(`newsletter:${subject}`)
      .digest();

  return {
    /** For the customer whom this subject names. */
    async url(publicUrl: string, locale: Locale, subject: string): Promise<string> {
      const token = `${subject}.${(await signatureOf(subject)).toString("base64url")}`;
      return linkUrl({ publicUrl: new URL(publicUrl) }, locale, pagePaths.unsubscribe, { token });
    },

    /** Says nothing about the customer, who may be gone, or may have withdrawn it before. */
    async withdraw(token: string): Promise<void> {
      const [, subject, given] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(token) ?? [];
      if (!subject || !given || !timingSafeEqual(Buffer.from(given, "base64url"), await signatureOf(subject)))
        throw new Refusal("link_expired");
      const [found] = await database
        .select({ id: customers.id, language: customers.language })
        .from(customers)
        .where(sql`${customers.id} = customer_of_subject(${subject}::uuid)`);
      if (!found) return;
      await database.transaction((tx) =>
        applyChange(tx, found.id, { optIns: { newsletter: false } }, "unsubscribe", found.language),
      );
    },
  };
}
