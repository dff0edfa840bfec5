import { customType, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { Locale } from "#i18n/locale.ts";
import { moment } from "#platform/database/columns.server.ts";
import type { LineRule } from "./line-rule.ts";
import { type LineCode, noReferral, type ReferralRules } from "./rules.ts";

/** A text in each language, as the database stores it. */
export const threeLanguages = <T>(name: string) =>
  customType<{ data: Record<Locale, T>; driverData: unknown }>({
    dataType: () => "three_languages",
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => (typeof value === "string" ? JSON.parse(value) : value) as Record<Locale, T>,
  })(name);

/** A version of a programme; versions are never edited (db/functions/loyalty_version_stays.sql). */
export const programmes = pgTable("loyalty_programme", {
  id: integer("id").primaryKey(),
  /** The programme's id; null for its first version, whose id is the programme's. */
  versionOf: integer("version_of"),
  version: integer("version").notNull().default(1),
  /** What the back office calls it. */
  label: text("label"),
  startsAt: moment("starts_at").notNull().defaultNow(),
  publishedAt: moment("published_at"),
  publishedBy: integer("published_by"),
  /** It was taken back before it began. */
  withdrawnAt: moment("withdrawn_at"),
  welcomePoints: integer("welcome_points").notNull(),
  pointsPerEuro: integer("points_per_euro").notNull().default(1),
  pointsValidMonths: integer("points_valid_months").notNull().default(24),
  tierMonths: integer("tier_months").notNull().default(12),
  /** Days after a purchase until its points arrive. */
  pendingDays: integer("pending_days").notNull().default(0),
  /** A sale is reviewed when more than this was paid for lines that earn, or after so many sales of a customer in a day. */
  reviewAmountCents: integer("review_amount_cents").notNull().default(300_000),
  reviewPerDay: integer("review_per_day").notNull().default(5),
  /** What one person may give or take of a customer, and of everybody, in a day; beyond that a second person decides. */
  adjustCustomerPoints: integer("adjust_customer_points").notNull().default(250),
  adjustCustomerCents: integer("adjust_customer_cents").notNull().default(1_000),
  adjustStaffPoints: integer("adjust_staff_points").notNull().default(1_000),
  /** What recommending a friend brings. */
  referral: jsonb("referral").$type<ReferralRules>().notNull().default(noReferral),
  /** Which lines earn; null: all but gift cards. */
  earnsOn: jsonb("earns_on").$type<LineRule>(),
  /** The codes that a line may have, with their names. */
  lineCodes: jsonb("line_codes").$type<LineCode[]>().notNull().default([]),
  contactEmail: text("contact_email"),
  contactPhone: text("contact_phone"),
  contactHours: threeLanguages<string>("contact_hours"),
});

export const tiers = pgTable(
  "loyalty_tier",
  {
    programmeId: integer("programme_id").notNull(),
    id: integer("id").notNull(),
    rank: integer("rank").notNull(),
    pointsRequired: integer("points_required").notNull(),
    /** By how much purchases earn more: 125 is 1.25 times the points. */
    multiplierHundredths: integer("multiplier_hundredths").notNull().default(100),
    name: threeLanguages<string>("name").notNull(),
    benefits: threeLanguages<string[]>("benefits").notNull(),
  },
  (table) => [primaryKey({ columns: [table.programmeId, table.id] })],
);

export const events = pgTable(
  "loyalty_event",
  {
    programmeId: integer("programme_id").notNull(),
    id: integer("id").notNull(),
    proof: text("proof").notNull(),
    points: integer("points").notNull(),
    frequency: text("frequency", { enum: ["once", "yearly"] }).notNull(),
    name: threeLanguages<string>("name").notNull(),
    description: threeLanguages<string>("description").notNull(),
    hint: threeLanguages<string>("hint").notNull(),
  },
  (table) => [primaryKey({ columns: [table.programmeId, table.id] })],
);

export const rewards = pgTable(
  "loyalty_reward",
  {
    programmeId: integer("programme_id").notNull(),
    id: integer("id").notNull(),
    points: integer("points").notNull(),
    amountCents: integer("amount_cents").notNull(),
    validDays: integer("valid_days").notNull(),
    /** The smallest basket it can be used on; its own value when absent. */
    minimumBasketCents: integer("minimum_basket_cents"),
    /** Which lines its vouchers may pay; null: all that vouchers may pay at all. */
    usableOn: jsonb("usable_on").$type<LineRule>(),
    name: threeLanguages<string>("name").notNull(),
    description: threeLanguages<string>("description").notNull(),
  },
  (table) => [primaryKey({ columns: [table.programmeId, table.id] })],
);
