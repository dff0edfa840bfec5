import { boolean, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { customerId, moment, rowId } from "#platform/database/columns.server.ts";

export const postalAddresses = pgTable(
  "postal_address",
  {
    customerId: customerId(),
    id: rowId(),
    address1: text("address1").notNull(),
    address2: text("address2"),
    postcode: text("postcode").notNull(),
    city: text("city").notNull(),
    country: text("country").notNull(),
    isInvoice: boolean("is_invoice").notNull().default(true),
    isDelivery: boolean("is_delivery").notNull().default(true),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);
