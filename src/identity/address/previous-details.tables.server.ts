import { bigint, boolean, date, pgTable, text } from "drizzle-orm/pg-core";
import { civilities } from "#identity/customer/customer-fields.ts";
import { moment } from "#platform/database/columns.server.ts";

/** What was entered before the address was confirmed, until its owner has said whether it is theirs. */
export const previousDetails = pgTable("previous_details", {
  customerId: bigint("customer_id", { mode: "number" }).primaryKey(),
  firstname: text("firstname").notNull(),
  lastname: text("lastname").notNull(),
  civility: text("civility", { enum: civilities }),
  birthday: date("birthday", { mode: "string" }),
  mobilePhone: text("mobile_phone"),
  newsletter: boolean("newsletter").notNull(),
  newsletterSms: boolean("newsletter_sms").notNull(),
  storedAt: moment("stored_at").notNull().defaultNow(),
});
