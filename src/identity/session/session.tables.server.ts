import { bigint, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { socialProviders } from "#identity/customer/social-providers.ts";
import { bytes, customerId, moment, rowId } from "#platform/database/columns.server.ts";

export const sessions = pgTable(
  "session",
  {
    customerId: customerId(),
    id: rowId(),
    createdAt: moment("created_at").notNull().defaultNow(),
    lastSeenAt: moment("last_seen_at").notNull().defaultNow(),
    expiresAt: moment("expires_at").notNull(),
    device: text("device"),
    /** Of the sign-in; null where it is not known. */
    network: text("network"),
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
