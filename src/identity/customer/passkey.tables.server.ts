import { bigint, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, customerId, moment, rowId } from "#platform/database/columns.server.ts";

export const passkeys = pgTable(
  "passkey",
  {
    customerId: customerId(),
    id: rowId(),
    name: text("name").notNull(),
    publicKey: bytes("public_key").notNull(),
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    lastUsedAt: moment("last_used_at"),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);

/** Finds the customer of a passkey, and keeps credentials unique across customers. */
export const passkeyCredentials = pgTable("passkey_credential", {
  credentialId: bytes("credential_id").primaryKey(),
  customerId: customerId(),
  passkeyId: bigint("passkey_id", { mode: "number" }).notNull(),
});
