import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { JWK } from "jose";

export const sandboxKeys = pgTable("sandbox_key", {
  name: text("name").primaryKey(),
  privateJwk: jsonb("private_jwk").$type<JWK>().notNull(),
});
