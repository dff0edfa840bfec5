import { bigint, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { type MergeChoices, reasons } from "#office/customers/choices.ts";
import { moment } from "#platform/database/columns.server.ts";

/** What staff gave a customer or asked for: done at once, or once a second person has approved. */
export const requests = pgTable(
  "office_request",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    kind: text("kind", { enum: ["points", "voucher", "erase", "merge"] }).notNull(),
    state: text("state", { enum: ["done", "waiting", "approved", "declined", "withdrawn"] }).notNull(),
    /** Of an adjustment the points, with their sign; of a voucher what its reward costs. */
    points: integer("points").notNull().default(0),
    /** What they are worth. */
    cents: integer("cents").notNull().default(0),
    rewardId: integer("reward_id"),
    /** Of a merge, the account that becomes part of the customer's. */
    otherId: bigint("other_id", { mode: "number" }),
    /** Of a merge, whose value of each field stays. */
    choices: jsonb("choices").$type<MergeChoices>(),
    /** What the customer reads. */
    customerText: text("customer_text"),
    reason: text("reason", { enum: reasons }).notNull(),
    note: text("note"),
    askedBy: integer("asked_by").notNull(),
    askedAt: moment("asked_at").notNull(),
    decidedBy: integer("decided_by"),
    decidedAt: moment("decided_at"),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);
