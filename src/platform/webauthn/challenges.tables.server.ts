import { pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { bytes } from "#platform/database/columns.server.ts";

/** Issued for one WebAuthn ceremony, deleted by it. */
export const webauthnChallenges = pgTable("webauthn_challenge", {
  challengeHash: bytes("challenge_hash").primaryKey(),
  subject: text("subject").notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});
