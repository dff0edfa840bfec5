import { bigint, doublePrecision, integer, pgTable, timestamp } from "drizzle-orm/pg-core";

/** What the last check of each invariant found, for the metrics. */
export const invariantChecks = pgTable("invariant_check", {
  number: integer("number").primaryKey(),
  violations: bigint("violations", { mode: "number" }).notNull(),
  checkedAt: timestamp("checked_at", { withTimezone: true }).notNull(),
  seconds: doublePrecision("seconds").notNull(),
});
