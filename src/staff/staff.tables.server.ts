import { bigint, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const staffRoles = ["owner", "marketing", "service", "shop"] as const;
export type StaffRole = (typeof staffRoles)[number];

/** People who work for the retailer. They are no customers. */
export const staff = pgTable("staff", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  email: text("email").notNull(),
  firstname: text("firstname").notNull(),
  lastname: text("lastname").notNull(),
  role: text("role", { enum: staffRoles }).notNull(),
  /** Of somebody with the role "shop". */
  shopId: integer("shop_id"),
  pinHash: text("pin_hash"),
  /** The customer whose card is their own. */
  ownCustomerId: bigint("own_customer_id", { mode: "number" }),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  endedAt: timestamp("ended_at", { withTimezone: true }),
});
