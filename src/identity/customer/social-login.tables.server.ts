import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { customerId, moment } from "#platform/database/columns.server.ts";
import { socialProviders } from "./social-providers.ts";

export const socialLogins = pgTable(
  "social_login",
  {
    customerId: customerId(),
    provider: text("provider", { enum: socialProviders }).notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.provider] })],
);

export const socialAccounts = pgTable(
  "social_account",
  {
    provider: text("provider", { enum: socialProviders }).notNull(),
    providerCustomerId: text("provider_customer_id").notNull(),
    customerId: customerId(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.providerCustomerId] })],
);
