import { bigint, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { staffRoles } from "#platform/api/endpoint.server.ts";
import { bytes } from "#platform/database/columns.server.ts";

/** People who work for the retailer. They are no customers. */
export const staff = pgTable("staff", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  email: text("email").notNull(),
  firstname: text("firstname").notNull(),
  lastname: text("lastname").notNull(),
  role: text("role", { enum: staffRoles }).notNull(),
  /** Of a person with the role "shop". */
  shopId: integer("shop_id"),
  pinHash: text("pin_hash"),
  /** With a code, the way into the back office for who has no passkey. */
  passwordHash: text("password_hash"),
  /** The secret of one-time codes, encrypted. */
  totpSecret: bytes("totp_secret"),
  /** The time step of the last code that was accepted. */
  totpStep: bigint("totp_step", { mode: "number" }),
  /** The customer whose card is their own. */
  ownCustomerId: bigint("own_customer_id", { mode: "number" }),
  /** The colleague who added them in the back office. */
  addedBy: integer("added_by"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  endedAt: timestamp("ended_at", { withTimezone: true }),
});

/** Mailboxes and phones of erased accounts that were a person's own, as keyed hashes (db/functions/loyalty_person.sql). */
export const staffOwnPersons = pgTable(
  "staff_own_person",
  {
    staffId: integer("staff_id").notNull(),
    person: bytes("person").notNull(),
  },
  (table) => [primaryKey({ columns: [table.staffId, table.person] })],
);

/** A mailed link by which a person chooses their PIN; choosing it deletes it. */
export const staffPinLinks = pgTable("staff_pin_link", {
  tokenHash: bytes("token_hash").primaryKey(),
  staffId: integer("staff_id").notNull(),
  endsAt: timestamp("ends_at", { withTimezone: true }).notNull(),
});
