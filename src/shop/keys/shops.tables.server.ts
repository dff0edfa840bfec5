import { integer, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { bytes, moment } from "#platform/database/columns.server.ts";

export const shops = pgTable("shop", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  name: text("name").notNull(),
  city: text("city").notNull(),
  kind: text("kind", { enum: ["boutique", "web"] }).notNull(),
  createdAt: moment("created_at").notNull().defaultNow(),
  /** Since then it has no tills and no keys; its history stays. */
  closedAt: moment("closed_at"),
});

export const shopKeys = pgTable("shop_key", {
  /** Shown in lists; the secret behind it is not stored. */
  prefix: text("prefix").primaryKey(),
  shopId: integer("shop_id").notNull(),
  name: text("name").notNull(),
  secretHash: bytes("secret_hash").notNull(),
  scopes: text("scopes").array().notNull(),
  /** A till's secret is in a cookie of the paired device; it is no key for a header, and a key is no till. */
  kind: text("kind", { enum: ["key", "till"] })
    .notNull()
    .default("key"),
  /** Which version of the API it speaks: with 2, unknown fields are refused, and a web shop names its currency. */
  api: smallint("api").$type<1 | 2>().notNull().default(1),
  createdAt: moment("created_at").notNull(),
  usedAt: moment("used_at"),
  endsAt: moment("ends_at"),
  revokedAt: moment("revoked_at"),
});
