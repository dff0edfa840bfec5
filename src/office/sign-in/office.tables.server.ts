import { bigint, integer, pgTable, text } from "drizzle-orm/pg-core";
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
});

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
