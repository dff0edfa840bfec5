import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, moment } from "#platform/database/columns.server.ts";

/** A code that pairs one device with a shop. */
export const pairings = pgTable("till_pairing", {
  codeHash: bytes("code_hash").primaryKey(),
  shopId: integer("shop_id").notNull(),
  name: text("name"),
  createdAt: moment("created_at").notNull(),
  endsAt: moment("ends_at").notNull(),
  usedAt: moment("used_at"),
});

/** Who is signed in on a till: one person at a time. */
export const tillSessions = pgTable("till_session", {
  keyPrefix: text("key_prefix").primaryKey(),
  tokenHash: bytes("token_hash").notNull(),
  staffId: integer("staff_id").notNull(),
  openedAt: moment("opened_at").notNull(),
  seenAt: moment("seen_at").notNull(),
});

/** Wrong PINs of a person on a device since the last right one. */
export const pinAttempts = pgTable(
  "till_pin_attempt",
  {
    keyPrefix: text("key_prefix").notNull(),
    staffId: integer("staff_id").notNull(),
    /** Those whose PIN is being checked are counted already. */
    failedAttempts: integer("failed_attempts").notNull(),
    /** Those whose PIN was checked. */
    wrongAttempts: integer("wrong_attempts").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.keyPrefix, table.staffId] })],
);

/** What a person counted at the end of a till's day, and what the receipts say: the last count of the day. */
export const dayCounts = pgTable(
  "till_day_count",
  {
    shopId: integer("shop_id").notNull(),
    keyPrefix: text("key_prefix").notNull(),
    day: date("day").notNull(),
    countedAt: moment("counted_at").notNull(),
    staffId: integer("staff_id").notNull(),
    receipts: integer("receipts").notNull(),
    cents: integer("cents").notNull(),
    expectedReceipts: integer("expected_receipts").notNull(),
    expectedCents: integer("expected_cents").notNull(),
  },
  (table) => [primaryKey({ columns: [table.shopId, table.day, table.keyPrefix] })],
);
