import { bigint, date, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** A status that another club promised: a floor until its last day (db/functions/loyalty_kept_status.sql). */
export const statusFloors = pgTable("loyalty_status_floor", {
  customerId: bigint("customer_id", { mode: "number" }).primaryKey(),
  rank: integer("rank").notNull(),
  until: date("until", { mode: "string" }).notNull(),
});

/** Points earned in another club, by day: part of `loyalty_earned_day`. */
export const importDays = pgTable(
  "loyalty_import_day",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    day: date("day", { mode: "string" }).notNull(),
    points: integer("points").notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.day] })],
);

/** The history of another club, as it was. It moves no points. */
export const importHistory = pgTable(
  "loyalty_import_history",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    source: text("source").notNull(),
    entryId: text("entry_id").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    points: integer("points").notNull(),
    text: text("text").notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.source, table.entryId] })],
);
