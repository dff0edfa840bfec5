import { bigint, boolean, date, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { locales } from "#i18n/locale.ts";
import { customerId, moment } from "#platform/database/columns.server.ts";
import { civilities } from "./customer-fields.ts";

export const customers = pgTable("customer", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  /** What partners know a customer by: random, unlike the id. */
  subject: uuid("subject").notNull().defaultRandom(),
  email: text("email").notNull(),
  firstname: text("firstname").notNull(),
  lastname: text("lastname").notNull(),
  civility: text("civility", { enum: civilities }),
  birthday: date("birthday", { mode: "string" }),
  birthdayChangedAt: moment("birthday_changed_at"),
  mobilePhone: text("mobile_phone"),
  language: text("language", { enum: locales }).notNull().default("fr"),
  guest: boolean("guest").notNull().default(false),
  passwordHash: text("password_hash"),
  emailVerifiedAt: moment("email_verified_at"),
  newsletter: boolean("newsletter").notNull().default(false),
  newsletterSms: boolean("newsletter_sms").notNull().default(false),
  origin: text("origin").notNull().default("web"),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
  lastSeenAt: moment("last_seen_at").notNull().defaultNow(),
  idleNotifiedAt: moment("idle_notified_at"),
  /** Blocked by the back office: they cannot sign in, and tills refuse their card. */
  blockedAt: moment("blocked_at"),
});

/** Accounts that have become part of another one (db/functions/loyalty_merge.sql). */
export const customerMerges = pgTable("customer_merge", {
  customerId: bigint("customer_id", { mode: "number" }).primaryKey(),
  intoId: bigint("into_id", { mode: "number" }).notNull(),
  at: moment("at").notNull(),
});

/** By which web shops and apps knew accounts that were merged into a customer's (db/functions/customer_of_subject.sql). */
export const formerSubjects = pgTable("former_subject", {
  subject: uuid("subject").primaryKey(),
  customerId: customerId(),
});

/** The columns of a mail's recipient. */
export const addressee = {
  id: customers.id,
  email: customers.email,
  firstname: customers.firstname,
  guest: customers.guest,
  emailVerifiedAt: customers.emailVerifiedAt,
};

/** The address a customer had before, as long as its owner can undo the change. */
export const emailHolds = pgTable("email_hold", {
  email: text("email").primaryKey(),
  customerId: customerId(),
  until: moment("until").notNull(),
});

export const customerEmails = pgTable("customer_email", {
  email: text("email").primaryKey(),
  customerId: customerId(),
});
