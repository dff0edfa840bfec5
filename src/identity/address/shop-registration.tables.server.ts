import { bigint, integer, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "#platform/database/columns.server.ts";

export const shopRegistrations = pgTable("shop_registration", {
  customerId: bigint("customer_id", { mode: "number" }).primaryKey(),
  shopId: integer("shop_id").notNull(),
  shopName: text("shop_name").notNull(),
  registeredAt: moment("registered_at").notNull(),
  passToken: text("pass_token").notNull(),
});
