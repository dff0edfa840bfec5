import { sql } from "drizzle-orm";
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "#platform/database/columns.server.ts";
import type { Channel, Segment } from "./segment.ts";

/** A named group of members by what the club knows of them. */
export const segments = pgTable("segment", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  name: text("name").notNull(),
  /** The version in force. */
  version: integer("version").notNull().default(1),
  /** Webhooks tell who joins and who leaves it. */
  sends: boolean("sends").notNull().default(false),
  archivedAt: moment("archived_at"),
});

/** What a segment was defined as; a version is never changed. */
export const segmentVersions = pgTable(
  "segment_version",
  {
    segmentId: integer("segment_id").notNull(),
    version: integer("version").notNull(),
    definition: jsonb("definition").$type<Segment>().notNull(),
    savedBy: integer("saved_by").notNull(),
    savedAt: moment("saved_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.segmentId, table.version] })],
);

/** A version that a campaign asks for, as the statement that sales run. */
export const segmentStatements = pgTable(
  "segment_statement",
  {
    segmentId: integer("segment_id").notNull(),
    version: integer("version").notNull(),
    statement: text("statement").notNull(),
    parameters: text("parameters").array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.segmentId, table.version] })],
);

/** Who was in a segment that webhooks tell of, when it was last looked at. */
export const segmentMembers = pgTable(
  "segment_member",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    segmentId: integer("segment_id").notNull(),
    joinedAt: moment("joined_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.segmentId] })],
);

/** A file for a mailing tool, and who was in it. */
export const segmentExports = pgTable("segment_export", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  segmentId: integer("segment_id").notNull(),
  version: integer("version").notNull(),
  channel: text("channel").$type<Channel>().notNull(),
  columns: jsonb("columns").$type<string[]>().notNull(),
  exportedBy: integer("exported_by").notNull(),
  exportedAt: moment("exported_at").notNull(),
  writtenIn: bigint("written_in", { mode: "number" }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
});

export const segmentExportMembers = pgTable(
  "segment_export_member",
  {
    customerId: bigint("customer_id", { mode: "number" }).notNull(),
    exportId: integer("export_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.exportId] })],
);
