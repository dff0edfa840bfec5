import { bigint, date, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { moment } from "#platform/database/columns.server.ts";

export const googlePasses = pgTable("google_pass", {
  customerId: bigint("customer_id", { mode: "number" }).primaryKey(),
  objectId: uuid("object_id").notNull().defaultRandom(),
  issuedAt: moment("issued_at").notNull(),
  /** The digest of the object last sent to Google. */
  told: text("told"),
  /** When the phone was notified, within the last 24 hours. */
  notifiedAt: moment("noticed_at").array().notNull().default([]),
  /** The day on which the pass is compared again, without a change of points. */
  reviewOn: date("review_on", { mode: "string" }),
  /** The end of the lease of the job that sends an update. */
  leasedUntil: moment("leased_until"),
  /** The digest of the object the phone was last notified of. */
  notified: text("noticed"),
});

export const applePasses = pgTable("apple_pass", {
  customerId: bigint("customer_id", { mode: "number" }).primaryKey(),
  serial: uuid("serial").notNull().defaultRandom(),
  issuedAt: moment("issued_at").notNull(),
  /** The digest of the content that phones get when they fetch the pass. */
  shown: text("shown"),
  changedAt: moment("changed_at").notNull(),
  /** The digest of the content phones were last notified of. */
  told: text("told"),
  reviewOn: date("review_on", { mode: "string" }),
  /** Which authentication token is valid: the account's recovery makes another one. */
  tokenNumber: integer("token_number").notNull().default(0),
});

export const appleSerials = pgTable("apple_serial", {
  serial: uuid("serial").primaryKey(),
  customerId: bigint("customer_id", { mode: "number" }).notNull(),
});

export const appleDevices = pgTable(
  "apple_device",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    deviceId: text("device_id").notNull(),
    pushToken: text("push_token").notNull(),
    registeredAt: moment("registered_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.deviceId] })],
);
