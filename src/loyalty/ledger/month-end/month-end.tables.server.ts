import { date, integer, jsonb, pgTable, timestamp } from "drizzle-orm/pg-core";
import type { MonthBook } from "./book.server.ts";

/** The book of a month. The database refuses to change one that is closed (db/functions/month_end_stays.sql). */
export const monthEnds = pgTable("month_end", {
  /** Its first day. */
  month: date("month", { mode: "string" }).primaryKey(),
  /** The first moment after it. */
  endsAt: timestamp("ends_at", { withTimezone: true }).notNull(),
  draftedAt: timestamp("drafted_at", { withTimezone: true }).notNull(),
  book: jsonb("book").$type<MonthBook>().notNull(),
  /** The expected redemption that an owner chose. */
  chosenPercent: integer("chosen_percent"),
  /** From then on nothing is booked in it. */
  lockedAt: timestamp("locked_at", { withTimezone: true }),
  closedAt: timestamp("closed_at", { withTimezone: true }),
  closedBy: integer("closed_by"),
});
