import { integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { Rules } from "#loyalty/programme/rules.ts";
import { moment } from "#platform/database/columns.server.ts";

/** A draft of the programme; one is open at a time. */
export const drafts = pgTable("loyalty_draft", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  programmeId: integer("programme_id").notNull(),
  /** Counts up with each save: who saves an older one is told. */
  revision: integer("revision").notNull().default(1),
  label: text("label").notNull(),
  rules: jsonb("rules").$type<Rules>().notNull(),
  /** The last version that was published when it was begun. */
  basedOn: integer("based_on").notNull(),
  state: text("state", { enum: ["open", "asked", "published", "discarded"] }).notNull(),
  /** Null: a file was imported by command. */
  savedBy: integer("saved_by"),
  savedAt: moment("saved_at").notNull(),
  startsAt: moment("starts_at"),
  askedBy: integer("asked_by"),
  askedAt: moment("asked_at"),
  decidedBy: integer("decided_by"),
  decidedAt: moment("decided_at"),
  /** The version it was published as. */
  version: integer("version"),
});
