import { sql } from "drizzle-orm";
import { bigint, boolean, date, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import type { Locale } from "#i18n/locale.ts";

/** Why points moved. A reissue and a gift are vouchers that cost no points; a cancelled voucher gives its points back, and so does a return that is undone. Points and vouchers of a club that moved here are imports. */
export const entryKinds = [
  ...(["welcome", "event", "grant", "purchase"] as const),
  ...(["reward", "expiry", "return", "settle"] as const),
  ...(["reissue", "gift", "adjust", "cancel", "undo"] as const),
  ...(["import", "import_voucher", "referral"] as const),
] as const;

/** How history names an entry: by an event or reward of the programme, by a text of its own, by a receipt's shop and amount, or by its kind alone. */
export type Label =
  | { event: number }
  | { reward: number }
  | { text: string }
  | { texts: Record<Locale, string> }
  | { sale: { shop: string; cents: number; campaign?: Record<Locale, string> } }
  | object;

/** The database refuses to change an entry or to delete one (db/functions/refuse_change.sql). */
export const entries = pgTable(
  "loyalty_entry",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    at: timestamp("at", { withTimezone: true }).notNull(),
    kind: text("kind", { enum: entryKinds }).notNull(),
    points: integer("points").notNull(),
    balance: integer("balance").notNull(),
    cause: text("cause").notNull(),
    label: jsonb("label").$type<Label>().notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }),
    /** By a merge, from another account, where it was counted. */
    copied: boolean("copied").notNull().default(false),
    /** When it was booked: `at` may be earlier. Never in a closed month (db/functions/loyalty_book.sql). */
    recordedAt: timestamp("recorded_at", { withTimezone: true }).notNull(),
    /** The transaction, for the data export. */
    writtenIn: bigint("written_in", { mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);

export const lots = pgTable(
  "loyalty_lot",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    entryId: bigint("entry_id", { mode: "number" }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    remaining: integer("remaining").notNull(),
    /** In which the points were earned; null when that was not noted yet. */
    tierId: integer("tier_id"),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.entryId] })],
);

/** A purchase whose points arrive later; the SQL functions loyalty_arrive and loyalty_claw_back change it. */
export const pendingPurchases = pgTable(
  "loyalty_pending",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    /** That of the entry that will credit the points. */
    cause: text("cause").notNull(),
    soldAt: timestamp("sold_at", { withTimezone: true }).notNull(),
    arrivesAt: timestamp("arrives_at", { withTimezone: true }).notNull(),
    /** What the purchase brought, what of it will be credited, and what will count for the status. */
    points: integer("points").notNull(),
    remaining: integer("remaining").notNull(),
    counts: integer("counts").notNull(),
    label: jsonb("label").$type<Label>().notNull().default({}),
    arrivedAt: timestamp("arrived_at", { withTimezone: true }),
    entryId: bigint("entry_id", { mode: "number" }),
    /** Of points of another club, which have their own end. */
    expiresAt: timestamp("expires_at", { withTimezone: true }),
    recordedAt: timestamp("recorded_at", { withTimezone: true }).notNull(),
    /** What was pending at first. */
    booked: integer("booked").notNull(),
    /** They never arrived: the customer was erased. */
    forfeited: boolean("forfeited").notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.cause] })],
);

export const earnedDays = pgTable(
  "loyalty_earned_day",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    day: date("day", { mode: "string" }).notNull(),
    points: integer("points").notNull(),
    /** The running total of points earned up to and including that day. */
    through: integer("through").notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.day] })],
);
