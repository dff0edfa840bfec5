import { bigint, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

const subjects = ["points", "kept_points", "voucher", "status"] as const;
export type Subject = (typeof subjects)[number];

/** Up to when a customer has been told what ends, so many days ahead. */
export const warnings = pgTable(
  "loyalty_warning",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    subject: text("subject", { enum: subjects }).notNull(),
    days: integer("days").notNull(),
    until: timestamp("until", { withTimezone: true, mode: "string" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.subject, table.days] })],
);
