import { integer, pgTable } from "drizzle-orm/pg-core";
import { bytes, moment } from "#platform/database/columns.server.ts";

/** The living code of an address, known or not; everything in it is a keyed hash. */
export const signInCodes = pgTable("sign_in_code", {
  emailHash: bytes("email_hash").primaryKey(),
  browserHash: bytes("browser_hash").notNull(),
  codeHash: bytes("code_hash").notNull(),
  tries: integer("tries").notNull().default(0),
  expiresAt: moment("expires_at").notNull(),
});
