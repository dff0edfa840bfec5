import { bigint, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, moment } from "#platform/database/columns.server.ts";

/** Who is signed in to the back office. */
export const staffSessions = pgTable("staff_session", {
  tokenHash: bytes("token_hash").primaryKey(),
  staffId: integer("staff_id").notNull(),
  openedAt: moment("opened_at").notNull(),
  seenAt: moment("seen_at").notNull(),
  /** When they last proved who they are. */
  provedAt: moment("proved_at").notNull(),
  /** The kind of act, as its path, that was done first after the proof. */
  provedFor: text("proved_for"),
  /** Of a session that a company account has opened: when the provider last said that the person has access. */
  checkedAt: moment("checked_at"),
  checkingAt: moment("checking_at"),
  /** To ask the provider again, encrypted. */
  refreshToken: bytes("refresh_token"),
});

/** Which account at the provider of the company is whose. */
export const staffCompanyAccounts = pgTable(
  "staff_company_account",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    staffId: integer("staff_id").notNull(),
    linkedAt: moment("linked_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
);

/** An invitation that was mailed; accepting it deletes it. */
export const staffInvitations = pgTable("staff_invitation", {
  tokenHash: bytes("token_hash").primaryKey(),
  staffId: integer("staff_id").notNull(),
  endsAt: moment("ends_at").notNull(),
  /** Both wait here until a first code confirms them. */
  passwordHash: text("password_hash"),
  totpSecret: bytes("totp_secret"),
});

export const staffPasskeys = pgTable("staff_passkey", {
  credentialId: bytes("credential_id").primaryKey(),
  staffId: integer("staff_id").notNull(),
  name: text("name").notNull(),
  publicKey: bytes("public_key").notNull(),
  counter: bigint("counter", { mode: "number" }).notNull(),
  transports: text("transports").array().notNull(),
  createdAt: moment("created_at").notNull(),
  usedAt: moment("used_at"),
});
