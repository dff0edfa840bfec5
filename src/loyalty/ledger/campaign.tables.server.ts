import { integer, pgTable } from "drizzle-orm/pg-core";
import { threeLanguages } from "#loyalty/programme/programme.tables.server.ts";
import { moment } from "#platform/database/columns.server.ts";

/** More points for a period. A campaign is never changed: another person approves it, once, and it may end early, once. */
export const campaigns = pgTable("campaign", {
  id: integer("id").generatedAlwaysAsIdentity().primaryKey(),
  name: threeLanguages<string>("name").notNull(),
  text: threeLanguages<string>("text").notNull(),
  /** One of the two: times so many hundredths, or so many points more. */
  multiplierHundredths: integer("multiplier_hundredths"),
  extraPoints: integer("extra_points"),
  /** What must be paid at least for lines that earn. */
  minimumCents: integer("minimum_cents"),
  startsAt: moment("starts_at").notNull(),
  endsAt: moment("ends_at").notNull(),
  /** For whom and where; null: everybody, everywhere, whenever they bought last. */
  tierId: integer("tier_id"),
  shopId: integer("shop_id"),
  idleMonths: integer("idle_months"),
  createdAt: moment("created_at").notNull(),
  createdBy: integer("created_by").notNull(),
  /** It counts for sales since then. Those of before this column count as approved when they were made. */
  approvedAt: moment("approved_at"),
  approvedBy: integer("approved_by"),
  endedAt: moment("ended_at"),
  endedBy: integer("ended_by"),
});
