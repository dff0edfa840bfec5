import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "#platform/database/columns.server.ts";
import { reasons } from "./package/reasons.ts";

/** A check, a rehearsal or a commit of a package. */
export const moveRuns = pgTable("move_run", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  step: text("step", { enum: ["check", "rehearse", "commit"] }).notNull(),
  state: text("state", { enum: ["queued", "running", "done", "failed"] }).notNull(),
  /** Its name in MOVE_DIR, if a person of the back office has started it. */
  package: text("package"),
  acceptRejected: integer("accept_rejected").notNull().default(0),
  source: text("source").notNull(),
  packageHash: text("package_hash").notNull(),
  takenAt: moment("taken_at").notNull(),
  release: text("release").notNull(),
  startedAt: moment("started_at").notNull(),
  startedBy: integer("started_by"),
  finishedAt: moment("finished_at"),
  progress: jsonb("progress").notNull(),
  /** Of a check what was counted, of the others the reconciliation. */
  result: jsonb("result"),
  failure: text("failure"),
});

/** What a run did not take: a whole row, or one value of it. Deleted with the personal data of the run after 30 days. */
export const moveRejections = pgTable(
  "move_rejected",
  {
    runId: integer("run_id").notNull(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    file: text("file").notNull(),
    line: integer("line").notNull(),
    field: text("field"),
    value: text("value"),
    reason: text("reason", { enum: reasons }).notNull(),
    wholeRow: boolean("whole_row").notNull(),
    /** The record of the old club that the row belongs to, where it names one. */
    sourceId: text("source_id"),
  },
  (table) => [primaryKey({ columns: [table.runId, table.id] })],
);

/** Fast hashes of a package, wrapped in argon2id, until the commit has stored them: hashing can be stopped and go on. */
export const movedHashes = pgTable(
  "move_hash",
  {
    source: text("source").notNull(),
    sourceId: text("source_id").notNull(),
    given: text("given").notNull(),
    stored: text("stored").notNull(),
    wrappedAt: moment("wrapped_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.source, table.sourceId] })],
);
