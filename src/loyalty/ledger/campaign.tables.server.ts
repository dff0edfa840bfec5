import { sql } from "drizzle-orm";
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { LineRule } from "#loyalty/programme/line-rule.ts";
import { threeLanguages } from "#loyalty/programme/programme.tables.server.ts";
import { moment } from "#platform/database/columns.server.ts";

/** What a campaign may be judged by, for each member: purchases, what was paid less returns, and whether they bought at all. */
export const campaignMetrics = ["revenue", "purchases", "returning"] as const;
export type CampaignMetric = (typeof campaignMetrics)[number];

/** More points for a period, or a voucher at its start. A campaign is never changed: another person approves it, once, and it may end early, once. */
export const campaigns = pgTable("campaign", {
  id: integer("id").generatedAlwaysAsIdentity().primaryKey(),
  name: threeLanguages<string>("name").notNull(),
  text: threeLanguages<string>("text").notNull(),
  /** One of the three: times so many hundredths, so many points more, or a voucher for those it reaches when it begins. */
  multiplierHundredths: integer("multiplier_hundredths"),
  extraPoints: integer("extra_points"),
  voucherCents: integer("voucher_cents"),
  /** How long the voucher is good for, and how many there are at most; null: one for each. */
  voucherDays: integer("voucher_days"),
  voucherLimit: integer("voucher_limit"),
  /** What must be paid at least for the lines that it counts for; with a voucher, the least basket. */
  minimumCents: integer("minimum_cents"),
  /** The most that it adds for one member; null: any number. */
  memberLimitPoints: integer("member_limit_points"),
  /** The transaction, for the data export. */
  writtenIn: bigint("written_in", { mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
  startsAt: moment("starts_at").notNull(),
  endsAt: moment("ends_at").notNull(),
  /** For whom and where; null: everybody, everywhere, whenever they bought last. */
  tierId: integer("tier_id"),
  shopId: integer("shop_id"),
  idleMonths: integer("idle_months"),
  /** Which lines it counts for, of those that earn, or may be paid by its voucher; null: all of them. */
  lineRule: jsonb("line_rule").$type<LineRule>(),
  /** Who is in this version of a segment at the time of the sale. */
  segmentId: integer("segment_id"),
  segmentVersion: integer("segment_version"),
  /** Days of the week, Monday is 1, and hours of the club's clock, the last one not included; null: always. */
  weekdays: integer("weekdays").array(),
  fromHour: integer("from_hour"),
  toHour: integer("to_hour"),
  /** So many days before and after the birthday at most; 0: on the day. */
  birthdayDays: integer("birthday_days"),
  /** So many of those it could reach do not get it, by a hash of the salt and the member (db/functions/campaign_controls.sql). */
  controlPercent: integer("control_percent").notNull().default(0),
  /** Why there is no control group. */
  controlNote: text("control_note"),
  salt: uuid("salt").notNull().defaultRandom(),
  /** What is compared between the groups, and until when it is measured. */
  metric: text("metric", { enum: campaignMetrics }).notNull().default("revenue"),
  measuredUntil: moment("measured_until"),
  createdAt: moment("created_at").notNull(),
  createdBy: integer("created_by").notNull(),
  /** It counts for sales since then. Those of before this column count as approved when they were made. */
  approvedAt: moment("approved_at"),
  approvedBy: integer("approved_by"),
  endedAt: moment("ended_at"),
  endedBy: integer("ended_by"),
});

/** The most points that a campaign gives in all, and those it has given: what a return takes back is not given again. */
export const campaignLimits = pgTable("campaign_limit", {
  campaignId: integer("campaign_id").primaryKey(),
  limitPoints: integer("limit_points").notNull(),
  givenPoints: integer("given_points").notNull().default(0),
});

/** Whom a campaign could reach when it began, and in which group. */
export const campaignMembers = pgTable(
  "campaign_member",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    campaignId: integer("campaign_id").notNull(),
    control: boolean("control").notNull(),
    /** The transaction, for the data export. */
    writtenIn: bigint("written_in", { mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.campaignId] })],
);

/** What a campaign would cost by the sales of the year before, as it was asked for. */
export interface CampaignPrice {
  /** Who would get it. */
  members: number;
  /** Null: too little is known. The interval holds the cost 95 times in 100. */
  cost: { cents: number; lowCents: number; highCents: number } | null;
  /** By its limit, or if every voucher were used; null: without a limit. */
  mostCents: number | null;
}

export const campaignPrices = pgTable("campaign_price", {
  campaignId: integer("campaign_id").primaryKey(),
  price: jsonb("price").$type<CampaignPrice>().notNull(),
});

/** What was measured of a group of a campaign. */
export interface MeasuredGroup {
  control: boolean;
  members: number;
  /** The metric of a member, on average, and its variance. */
  mean: number;
  variance: number;
  revenueCents: number;
  /** Points of the campaign, less those that returns took back. */
  points: number;
  /** What its vouchers took off. */
  voucherCents: number;
}

/** A small part of all members whom no campaign reaches for a year, to measure all campaigns together (db/functions/campaign_held_out.sql). */
export const holdOuts = pgTable("campaign_hold_out", {
  id: integer("id").generatedAlwaysAsIdentity().primaryKey(),
  percent: integer("percent").notNull(),
  salt: uuid("salt").notNull().defaultRandom(),
  startsAt: moment("starts_at").notNull(),
  endsAt: moment("ends_at").notNull(),
  createdBy: integer("created_by").notNull(),
  /** Ended early, and never measured. */
  endedAt: moment("ended_at"),
  result: jsonb("result").$type<MeasuredGroup[]>(),
  measuredAt: moment("measured_at"),
});

/** What a campaign brought, measured once when its window had ended. */
export const campaignResults = pgTable("campaign_result", {
  campaignId: integer("campaign_id").primaryKey(),
  result: jsonb("result").$type<MeasuredGroup[]>().notNull(),
  measuredAt: moment("measured_at").notNull(),
});
