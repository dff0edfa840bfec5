import { sql } from "drizzle-orm";
import { bigint, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { bytes } from "#platform/database/columns.server.ts";

export const accounts = pgTable("loyalty_account", {
  customerId: bigint("customer_id", { mode: "number" }).primaryKey(),
  programmeId: integer("programme_id").notNull(),
  state: text("state", { enum: ["active", "left", "erased"] }).notNull(),
  memberSince: timestamp("member_since", { withTimezone: true }).notNull(),
  leftAt: timestamp("left_at", { withTimezone: true }),
  cardNumber: text("card_number"),
  balance: integer("balance").notNull().default(0),
  erasedAt: timestamp("erased_at", { withTimezone: true }),
  /** Of the member's link for friends; the database draws it. Null when erased. */
  referralCode: text("referral_code").default(sql`substr(md5(gen_random_uuid()::text), 1, 16)`),
  /** The transaction, for the data export. */
  writtenIn: bigint("written_in", { mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
});

/** Points that a return took back and the balance did not have; the next points settle them. */
export const debts = pgTable(
  "loyalty_debt",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    cause: text("cause").notNull(),
    owedAt: timestamp("owed_at", { withTimezone: true }).notNull(),
    points: integer("points").notNull(),
    remaining: integer("remaining").notNull(),
    waived: integer("waived").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);

/** Finds the customer of a scanned card, and keeps card numbers unique across customers. */
export const cards = pgTable("loyalty_card", {
  number: text("number").primaryKey(),
  customerId: bigint("customer_id", { mode: "number" }).notNull(),
  /** Since then tills refuse it. The number stays, so that no other customer gets it. */
  replacedAt: timestamp("replaced_at", { withTimezone: true }),
});

/** Phone numbers whose SMS bonus was given, as keyed hashes (db/functions/loyalty_person.sql). */
export const smsBonuses = pgTable("loyalty_sms_bonus", {
  phone: bytes("phone").primaryKey(),
  givenAt: timestamp("given_at", { withTimezone: true }).notNull(),
});

/** The network, as a keyed hash, from which a customer got the welcome gift; deleted after a day. */
export const welcomeNetworks = pgTable("loyalty_welcome_network", {
  customerId: bigint("customer_id", { mode: "number" }).primaryKey(),
  network: bytes("network").notNull(),
  givenAt: timestamp("given_at", { withTimezone: true }).notNull(),
});

/** Who has had the welcome gift, as keyed hashes of email addresses (db/functions/loyalty_person.sql). */
export const welcomes = pgTable("loyalty_welcome", {
  person: bytes("person").primaryKey(),
  givenAt: timestamp("given_at", { withTimezone: true }).notNull(),
});
