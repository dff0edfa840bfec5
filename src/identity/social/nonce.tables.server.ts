import { pgTable } from "drizzle-orm/pg-core";
import { bytes, moment } from "#platform/database/columns.server.ts";

/** Issued for one social sign-in, deleted by it. */
export const socialNonces = pgTable("social_nonce", {
  nonceHash: bytes("nonce_hash").primaryKey(),
  expiresAt: moment("expires_at").notNull(),
});
