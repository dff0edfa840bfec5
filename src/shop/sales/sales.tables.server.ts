import { sql } from "drizzle-orm";
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { CancelledVoucher, Pending } from "#loyalty/ledger/ledger.server.ts";
import { bytes, moment } from "#platform/database/columns.server.ts";
import type { RefusalCode } from "#platform/refusal.ts";
import type { PricedLine } from "#shop/sales/purchase/basket.server.ts";

const receiptKey = { shopId: integer("shop_id").notNull(), number: text("number").notNull() };

/** The number of a sale or a return, for good. */
export const receipts = pgTable(
  "shop_receipt",
  { ...receiptKey, contentHash: bytes("content_hash").notNull(), arrivedAt: moment("arrived_at").notNull() },
  (table) => [primaryKey({ columns: [table.shopId, table.number] })],
);

/** A voucher that a sale used. */
export interface UsedVoucher {
  code: string;
  valueCents: number;
  takenCents: number;
  /** Of a voucher that is limited to some lines, those it could pay. */
  lines?: string[];
}

/** A voucher that was lost before its sale arrived, with what it had taken off. */
export interface LostVoucher {
  code: string;
  valueCents: number;
  takenCents: number;
  reason: RefusalCode;
}

export const sales = pgTable(
  "shop_sale",
  {
    ...receiptKey,
    keyPrefix: text("key_prefix").notNull(),
    /** The transaction, for the data export. */
    writtenIn: bigint("written_in", { mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
    /** Corrected by the till's clock. */
    soldAt: moment("sold_at").notNull(),
    /** The till's time was in the future. */
    /** From when its points are pending, if not from when it was sold: a time that a person could choose is not believed. */
    pendingFrom: moment("pending_from"),
    inFuture: boolean("in_future").notNull().default(false),
    customerId: bigint("customer_id", { mode: "number" }),
    /** A customer was named who is no member. */
    unknownCustomer: boolean("unknown_customer").notNull().default(false),
    /** Sent as one amount, without lines. */
    whole: boolean("whole").notNull(),
    lines: jsonb("lines").$type<PricedLine[]>().notNull(),
    vouchers: jsonb("vouchers").$type<UsedVoucher[]>().notNull(),
    pointsPerEuro: integer("points_per_euro"),
    multiplierHundredths: integer("multiplier_hundredths"),
    tierId: integer("tier_id"),
    /** The campaign, frozen as the rest of the rule is, and the points it added when they were credited. */
    campaignId: integer("campaign_id"),
    campaignMultiplierHundredths: integer("campaign_multiplier_hundredths"),
    campaignExtraPoints: integer("campaign_extra_points"),
    /** What was paid for the lines that earn, for which points were added. Null: they stay while anything is left. */
    campaignMinimumCents: integer("campaign_minimum_cents"),
    /** Of a campaign whose points are limited: the most that it adds to this sale. */
    campaignCapPoints: integer("campaign_cap_points"),
    /** Of one that is about some lines: those it counts for. */
    campaignLines: text("campaign_lines").array(),
    campaignPoints: integer("campaign_points").notNull().default(0),
    earned: integer("earned").notNull(),
    available: integer("available"),
    debt: integer("debt"),
    /** All that is pending of the customer after it, and when the points of this sale arrive, if not at once. */
    pending: integer("pending"),
    nextPending: jsonb("next_pending").$type<Pending["next"]>(),
    arrivesAt: moment("arrives_at"),
    /** The points need a review; how many there were. */
    waiting: boolean("waiting").notNull().default(false),
    waitingPoints: integer("waiting_points").notNull().default(0),
    waitingReason: text("waiting_reason", { enum: ["large_sale", "many_sales", "staff"] }),
    /** Vouchers that the sale was paid with and that could not be used any more when it arrived. */
    lostVouchers: jsonb("lost_vouchers").$type<LostVoucher[]>().notNull().default([]),
    /** The entry that credited the points; none while they are pending. */
    entryId: bigint("entry_id", { mode: "number" }),
    claimCode: text("claim_code"),
    claimFailedAttempts: integer("claim_failed_attempts").notNull().default(0),
    claimedAt: moment("claimed_at"),
    /** The customer had bought before; written by the database (db/functions/shop_sale_repeats.sql). */
    repeats: boolean("repeats").notNull().default(false),
    /** What an amendment added to another sale, whose number this is: it earns by the same rule, and is returned with it. */
    amends: text("amends"),
    /** Who sold it, at a till where a person had signed in. */
    staffId: integer("staff_id"),
    /** The club that it was sold in before that moved here: it can be returned, and is no sale of this one. */
    formerSource: text("former_source"),
  },
  (table) => [primaryKey({ columns: [table.shopId, table.number] })],
);

/** Money given back for a line. */
export interface Refund {
  line: string;
  cents: number;
}

/** What a return asks for: lines (without cents: all that is left of the line), one amount, or everything that is left. */
export type Asked =
  | { lines: { line: string; cents: number | null }[] }
  /** `spread`: laid on all lines, in proportion to what is left of each. */
  | { cents: number; spread?: true }
  | { all: true };

export interface ReissuedVoucher {
  code: string;
  valueCents: number;
  expiresAt: string;
}

export const returns = pgTable(
  "shop_return",
  {
    ...receiptKey,
    kind: text("kind", { enum: ["return", "exchange", "void", "amend"] }).notNull(),
    keyPrefix: text("key_prefix").notNull(),
    /** The transaction, for the data export. */
    writtenIn: bigint("written_in", { mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
    returnedAt: moment("returned_at").notNull(),
    saleShopId: integer("sale_shop_id").notNull(),
    saleNumber: text("sale_number").notNull(),
    state: text("state", { enum: ["applied", "waiting", "conflict", "undone"] }).notNull(),
    /** It arrived before its sale, and was answered so. */
    waited: boolean("waited").notNull().default(false),
    asked: jsonb("asked").$type<Asked>().notNull(),
    refunds: jsonb("refunds").$type<Refund[]>().notNull().default([]),
    reissued: jsonb("reissued").$type<ReissuedVoucher[]>().notNull().default([]),
    taken: integer("taken").notNull().default(0),
    available: integer("available"),
    debt: integer("debt"),
    pending: integer("pending"),
    nextPending: jsonb("next_pending").$type<Pending["next"]>(),
    cancelled: jsonb("cancelled").$type<CancelledVoucher[]>().notNull().default([]),
    staffId: integer("staff_id"),
    /** The campaign of the sale, and what was taken back of its points. */
    campaignId: integer("campaign_id"),
    campaignPoints: integer("campaign_points").notNull().default(0),
    /** By a person at the till that had recorded it. */
    undoneAt: moment("undone_at"),
    undoneBy: integer("undone_by"),
  },
  (table) => [primaryKey({ columns: [table.shopId, table.number, table.kind] })],
);

/** A voucher that a receipt or a basket holds while its customer pays. */
export const holds = pgTable("loyalty_voucher_hold", {
  code: text("code").primaryKey(),
  shopId: integer("shop_id").notNull(),
  /** The receipt, or a reference of the shop's own, as the id of a basket that has no receipt number yet. */
  number: text("number"),
  reference: text("reference"),
  heldAt: moment("held_at").notNull(),
  until: moment("until").notNull(),
});

/** An amendment of a sale, with what was answered. */
export const amendments = pgTable(
  "shop_amendment",
  {
    ...receiptKey,
    amendNumber: integer("amend_number").notNull(),
    amendedAt: moment("amended_at").notNull(),
    answer: jsonb("answer").$type<object>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.shopId, table.number, table.amendNumber] })],
);

/** What a person decided about a receipt that waited for one. */
export const decisions = pgTable(
  "shop_decision",
  {
    ...receiptKey,
    subject: text("subject", { enum: ["return", "exchange", "points", "clock"] }).notNull(),
    outcome: text("outcome", {
      enum: ["applied", "attached", "dismissed", "released", "refused", "confirmed", "corrected"],
    }).notNull(),
    decidedAt: moment("decided_at").notNull(),
    staffId: integer("staff_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.shopId, table.number, table.subject] })],
);
