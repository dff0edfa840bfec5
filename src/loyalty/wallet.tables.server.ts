import { bigint, date, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

const moment = (name: string) => timestamp(name, { withTimezone: true });

export const googlePasses = pgTable("google_pass", {
  customerId: bigint("customer_id", { mode: "number" }).primaryKey(),
  objectId: uuid("object_id").notNull().defaultRandom(),
  issuedAt: moment("issued_at").notNull(),
  told: text("told"),
  noticedAt: moment("noticed_at").array().notNull().default([]),
  reviewOn: date("review_on", { mode: "string" }),
});
