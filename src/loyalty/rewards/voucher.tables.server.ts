import { bigint, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** The only change the database allows is from unused to used (db/functions/loyalty_voucher_forward.sql). */
export const vouchers = pgTable(
  "loyalty_voucher",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    /** The entry that paid for it. */
    id: bigint("id", { mode: "number" }).notNull(),
    programmeId: integer("programme_id").notNull(),
    rewardId: integer("reward_id").notNull(),
    code: text("code").notNull(),
    points: integer("points").notNull(),
    amountCents: integer("amount_cents").notNull(),
    obtainedAt: timestamp("obtained_at", { withTimezone: true }).notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    usedAt: timestamp("used_at", { withTimezone: true }),
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
});

/** A voucher whose points were needed for a return: cancelled, or marked while a receipt holds it. */
export const voucherCancels = pgTable("loyalty_voucher_cancel", {
  code: text("code").primaryKey(),
  customerId: bigint("customer_id", { mode: "number" }).notNull(),
  markedAt: timestamp("marked_at", { withTimezone: true }).notNull(),
  cancelledAt: timestamp("cancelled_at", { withTimezone: true }),
  entryId: bigint("entry_id", { mode: "number" }),
});

/** Finds the customer of a scanned voucher, and keeps codes unique across customers. */
export const voucherCodes = pgTable("loyalty_voucher_code", {
  code: text("code").primaryKey(),
  customerId: bigint("customer_id", { mode: "number" }).notNull(),
});
