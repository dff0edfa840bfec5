import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import { locales } from "#i18n/locale.ts";
import { moment } from "#platform/database/columns.server.ts";

export const mails = pgTable("mail", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  cause: text("cause").notNull(),
  customerId: bigint("customer_id", { mode: "number" }),
  locale: text("locale", { enum: locales }).notNull(),
  recipient: text("recipient"),
  subject: text("subject"),
  html: text("html"),
  plainText: text("plain_text"),
  /** Of an offer: where a mail program posts that its reader wants no more of them (RFC 8058). */
  unsubscribeUrl: text("unsubscribe_url"),
  messageId: text("message_id"),
  queuedAt: moment("queued_at").notNull().defaultNow(),
  sentAt: moment("sent_at"),
  refusedAt: moment("refused_at"),
});
