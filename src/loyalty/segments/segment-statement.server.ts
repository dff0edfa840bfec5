import { and, eq, type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Queries } from "#platform/database/database.server.ts";
import { membersWhere } from "./compile-segment.server.ts";
import { segmentStatements, segmentVersions } from "./segment.tables.server.ts";
import type { Segment } from "./segment.ts";

/** Values are elements of one parameter, so that any number of them can be handed to `execute`. */
class ArrayDialect extends PgDialect {
  override escapeParam(index: number): string {
    return `($1)[${index + 1}]`;
  }
}
const dialect = new ArrayDialect();

const listed = (value: unknown): string => `"${String(value).replaceAll(/["\\]/g, "\\$&")}"`;
const textOf = (value: unknown): string => (Array.isArray(value) ? `{${value.map(listed).join()}}` : String(value));

/** Whether one member is in a segment, as a statement that the database runs within a sale (db/functions/segment_holds.sql). */
function statementOf(segment: Segment): { statement: string; parameters: string[] } {
  const asked: SQL = sql`select exists (
    select from ${membersWhere(segment, sql.raw("$3::timestamptz"))} and a.customer_id = $2)`;
  const query = dialect.sqlToQuery(asked);
  return { statement: query.sql, parameters: query.params.map(textOf) };
}

/** Stores the statement of a version that a campaign asks for. */
export async function writeStatement(tx: Queries, segmentId: number, version: number, segment: Segment) {
  const compiled = statementOf(segment);
  await tx
    .insert(segmentStatements)
    .values({ segmentId, version, ...compiled })
    .onConflictDoUpdate({ target: [segmentStatements.segmentId, segmentStatements.version], set: compiled });
}

/** Compiles the stored statements again: a release may compile them better. Its tables have the columns of the one before. */
export async function refreshStatements(queries: Queries): Promise<void> {
  const rows = await queries
    .select({ stored: segmentStatements, definition: segmentVersions.definition })
    .from(segmentStatements)
    .innerJoin(
      segmentVersions,
      and(
        eq(segmentVersions.segmentId, segmentStatements.segmentId),
        eq(segmentVersions.version, segmentStatements.version),
      ),
    );
  for (const { stored, definition } of rows)
    if (statementOf(definition).statement !== stored.statement)
      await writeStatement(queries, stored.segmentId, stored.version, definition);
}
