import { sql } from "drizzle-orm";
import { bigint, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { bytes } from "#platform/database/columns.server.ts";

/** The only change the database allows is from unused to used (db/functions/loyalty_voucher_forward.sql). */
export const vouchers = pgTable(
  "loyalty_voucher",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    /** The entry that paid for it. */
    id: bigint("id", { mode: "number" }).notNull(),
    /** None for a voucher of another club, or of a campaign. */
    programmeId: integer("programme_id"),
    rewardId: integer("reward_id"),
    code: text("code").notNull(),
    points: integer("points").notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** The least basket of a voucher of another club or of a campaign; of others the reward says it. */
    minimumCents: integer("minimum_cents"),
    /** The campaign that gave it, also of the one that replaces it. */
    campaignId: integer("campaign_id"),
    obtainedAt: timestamp("obtained_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    usedAt: timestamp("used_at", { withTimezone: true }),
    /** When the use was booked. */
    usedRecordedAt: timestamp("used_recorded_at", { withTimezone: true }),
    /** The transaction, for the data export. */
    writtenIn: bigint("written_in", { mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);

/** A voucher used at a till; the voucher's own row never changes. */
export const voucherUses = pgTable("loyalty_voucher_use", {
  code: text("code").primaryKey(),
  customerId: bigint("customer_id", { mode: "number" }).notNull(),
  usedAt: timestamp("used_at", { withTimezone: true }).notNull(),
  shopId: integer("shop_id").notNull(),
  receiptNumber: text("receipt_number").notNull(),
  takenCents: integer("taken_cents").notNull(),
  /** A till may tell of it later. */
  recordedAt: timestamp("recorded_at", { withTimezone: true }).notNull(),
  /** The transaction, for the data export. */
  writtenIn: bigint("written_in", { mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
});

/** A voucher whose points were needed for a return: cancelled, or marked while a receipt holds it. */
export const voucherCancels = pgTable("loyalty_voucher_cancel", {
  code: text("code").primaryKey(),
  customerId: bigint("customer_id", { mode: "number" }).notNull(),
  markedAt: timestamp("marked_at", { withTimezone: true }).notNull(),
  cancelledAt: timestamp("cancelled_at", { withTimezone: true }),
  entryId: bigint("entry_id", { mode: "number" }),
  /** The transaction, for the data export. */
  writtenIn: bigint("written_in", { mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
});

/** Finds the customer of a scanned voucher, and keeps codes unique across customers. */
export const voucherCodes = pgTable("loyalty_voucher_code", {
  code: text("code").primaryKey(),
  customerId: bigint("customer_id", { mode: "number" }).notNull(),
});

/** The code by which a customer agrees at a till, as a keyed hash; one at a time. */
export const tillCodes = pgTable("loyalty_till_code", {
  customerId: bigint("customer_id", { mode: "number" }).primaryKey(),
  codeHash: bytes("code_hash").notNull(),
  tries: integer("tries").notNull().default(0),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});
