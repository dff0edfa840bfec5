import { bigint, boolean, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "#platform/database/columns.server.ts";

/** Which customer a record of another club has become, for ever: a second package finds it again. */
export const movedMembers = pgTable(
  "move_member",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    source: text("source").notNull(),
    sourceId: text("source_id").notNull(),
    /** Its address was known here and confirmed on both sides: the details stayed as they were. */
    linked: boolean("linked").notNull(),
    /** A hash of the row in members.csv. */
    content: text("content").notNull(),
    takenAt: moment("taken_at").notNull(),
    movedAt: moment("moved_at").notNull(),
    /** When the customer closed the panel that tells of the move. */
    seenAt: moment("seen_at"),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.source, table.sourceId] })],
);

/** A customer says that something is missing since the move; a person of the back office looks at it. */
export const moveCases = pgTable(
  "move_case",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    at: moment("at").notNull(),
    text: text("text").notNull(),
    closedAt: moment("closed_at"),
    closedBy: integer("closed_by"),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.id] })],
);
