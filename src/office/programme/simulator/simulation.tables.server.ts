import { integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "#platform/database/columns.server.ts";
import type { SimulationResult } from "./simulation-result.server.ts";

/** What the simulator found for a revision of a draft. */
export const simulations = pgTable("loyalty_simulation", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  draftId: integer("draft_id").notNull(),
  revision: integer("revision").notNull(),
  state: text("state", { enum: ["running", "done", "cancelled", "failed"] }).notNull(),
  startedBy: integer("started_by"),
  startedAt: moment("started_at").notNull(),
  finishedAt: moment("finished_at"),
  customersDone: integer("customers_done").notNull().default(0),
  customersTotal: integer("customers_total").notNull().default(0),
  result: jsonb("result").$type<SimulationResult>(),
});
