import { bigint, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** Append-only: the database refuses to change or delete a row. */
export const auditLog = pgTable("audit_log", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  at: timestamp("at", { withTimezone: true }).notNull(),
  madeBy: text("made_by", { enum: ["staff", "device", "command", "job", "customer"] }).notNull(),
  staffId: integer("staff_id"),
  action: text("action").notNull(),
  customerId: bigint("customer_id", { mode: "number" }),
  shopId: integer("shop_id"),
  /** The till or key it was done with. */
  keyPrefix: text("key_prefix"),
  before: jsonb("before"),
  after: jsonb("after"),
  reason: text("reason"),
  requestId: text("request_id"),
});

/** The personal values of an entry: the only part of the log that an erasure deletes. */
export const auditPersonal = pgTable(
  "audit_personal",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    auditId: bigint("audit_id", { mode: "number" }).notNull(),
    personal: jsonb("personal").notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.auditId] })],
);
