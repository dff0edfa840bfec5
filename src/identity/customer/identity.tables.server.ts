import { bigint, boolean, customType, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { socialProviders } from "./social-providers.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true });
const customerId = () => bigint("customer_id", { mode: "number" }).notNull();
const rowId = () => bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity();
const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

export const sessions = pgTable(
  "session",
  {
    customerId: customerId(),
    id: rowId(),
    createdAt: moment("created_at").notNull().defaultNow(),
    lastSeenAt: moment("last_seen_at").notNull().defaultNow(),
    expiresAt: moment("expires_at").notNull(),
    device: text("device"),
    socialProvider: text("social_provider", { enum: socialProviders }),
    provedAt: moment("proved_at"),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);

export const sessionTokens = pgTable("session_token", {
  tokenHash: bytes("token_hash").primaryKey(),
  customerId: customerId(),
  sessionId: bigint("session_id", { mode: "number" }).notNull(),
});

export const linkPurposes = ["reset", "verify", "autologin", "guest"] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export const links = pgTable(
  "link",
  {
    customerId: customerId(),
    id: rowId(),
    purpose: text("purpose", { enum: linkPurposes }).notNull(),
    email: text("email").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);

export const linkTokens = pgTable("link_token", {
  tokenHash: bytes("token_hash").primaryKey(),
  customerId: customerId(),
  linkId: bigint("link_id", { mode: "number" }).notNull(),
});

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

/** Issued by us for one social sign-in, used up by it. */
export const socialNonces = pgTable("social_nonce", {
  nonceHash: bytes("nonce_hash").primaryKey(),
  expiresAt: moment("expires_at").notNull(),
});

export const consentSubjects = ["newsletter", "sms", "loyalty"] as const;
export type ConsentSubject = (typeof consentSubjects)[number];

export const consents = pgTable(
  "consent",
  {
    customerId: customerId(),
    id: rowId(),
    subject: text("subject", { enum: consentSubjects }).notNull(),
    given: boolean("given").notNull(),
    textVersion: text("text_version").notNull(),
    source: text("source").notNull(),
    at: moment("at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);
