import { bigint, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { bytes } from "#platform/database/columns.server.ts";

/** The responses already given, each by the idempotency key of its call. */
export const storedResponses = pgTable(
  "idempotency_key",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    call: text("call").notNull(),
    key: text("key").notNull(),
    bodyHash: bytes("body_hash").notNull(),
    status: integer("status"),
    language: text("language"),
    body: text("answer"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.call, table.key] })],
);
