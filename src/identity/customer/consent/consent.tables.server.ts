import { boolean, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { customerId, moment, rowId } from "#platform/database/columns.server.ts";

export const consentSubjects = ["newsletter", "sms", "loyalty"] as const;
export type ConsentSubject = (typeof consentSubjects)[number];

export const consents = pgTable(
  "consent",
  {
    customerId: customerId(),
    id: rowId(),
    subject: text("subject", { enum: consentSubjects }).notNull(),
    given: boolean("given").notNull(),
    textVersion: text("text_version").notNull(),
    source: text("source").notNull(),
    at: moment("at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);
