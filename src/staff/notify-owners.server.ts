import { and, eq, isNull } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type EmailContent, queueMail } from "#platform/mail/mail.server.ts";
import { staff } from "./staff.tables.server.ts";

/** Emails something that needs attention to every owner. The same cause again sends nothing. */
export async function notifyOwners(queries: Queries, cause: string, locale: Locale, mail: EmailContent): Promise<void> {
  const owners = await queries
    .select({ id: staff.id, email: staff.email })
    .from(staff)
    .where(and(eq(staff.role, "owner"), isNull(staff.endedAt)));
  for (const { id, email } of owners)
    await queueMail(queries, { cause: `${cause}:${id}`, to: email, locale, content: mail });
}
