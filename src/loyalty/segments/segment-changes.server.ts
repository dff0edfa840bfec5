import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { membersWhere } from "./compile-segment.server.ts";
import { segments, segmentVersions } from "./segment.tables.server.ts";
import { refreshStatements } from "./segment-statement.server.ts";

const changesJob = "loyalty:segment-changes";

export const segmentSchedule = [{ name: changesJob, pattern: "*/10 * * * *" }];

/** Tells webhooks who has joined and left the segments that are marked for it. */
export function segmentJobs({ now }: { now: () => Date }): Jobs {
  return {
    async [changesJob](_, database) {
      await refreshStatements(database);
      const marked = await database
        .select({ id: segments.id })
        .from(segments)
        .where(and(segments.sends, isNull(segments.archivedAt)));
      for (const { id } of marked) await tellChanges(database, id, now());
    },
  };
}

/**
 * Compares a segment with who was in it, and writes an event for each change in the transaction that notes it
 * (db/functions/webhook_write.sql): a run that fails has told nothing, and the next one tells it once.
 */
async function tellChanges(database: Database, segmentId: number, now: Date): Promise<void> {
  await database.transaction(async (tx) => {
    // One run at a time: two would both tell the same change.
    const [segment] = await tx
      .select({ definition: segmentVersions.definition })
      .from(segments)
      .innerJoin(
        segmentVersions,
        and(eq(segmentVersions.segmentId, segments.id), eq(segmentVersions.version, segments.version)),
      )
      .where(and(eq(segments.id, segmentId), segments.sends))
      .for("update", { of: segments });
    if (!segment) return;
    await tx.execute(sql`
      with now_in as materialized (select a.customer_id from ${membersWhere(segment.definition, now)}),
      left_it as (
        delete from segment_member m where m.segment_id = ${segmentId}
          and not exists (select from now_in n where n.customer_id = m.customer_id)
        returning m.customer_id),
      joined_it as (
        insert into segment_member (customer_id, segment_id, joined_at)
        select n.customer_id, ${segmentId}, ${now.toISOString()}::timestamptz from now_in n
        on conflict do nothing returning customer_id)
      select webhook_write(change.type, change.customer_id, null,
        jsonb_build_object('IdCustomer', change.customer_id, 'IdSegment', ${segmentId}::integer))
      from (select 'segment.left' as type, customer_id from left_it
        union all select 'segment.joined', customer_id from joined_it) change`);
  });
}
