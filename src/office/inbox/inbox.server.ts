import { type SQL, sql } from "drizzle-orm";
import { waitingRows } from "#office/sign-in/waiting.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { type InboxKind, inboxKinds } from "./kinds.ts";

/** What waits for a person, grouped by what it is; what the menu counts (src/office/sign-in/waiting.server.ts). */
export async function readInbox(database: Database, { staffId, role }: OfficeCaller, now: Date) {
  const rows: SQL[] = waitingRows(now).flatMap((one) => (one.roles.includes(role) ? [one.rows] : []));
  const { rows: groups } = await database.execute<{ kind: InboxKind; count: number; oldest: string | null }>(sql`
    select kind, count(*)::integer as count, min(at) as oldest
    from staff p cross join lateral (${sql.join(rows, sql` union all `)}) waiting
    where p.id = ${staffId} group by kind`);
  const { rows: asked } = await database.execute<{ mine: number }>(sql`
    select count(*)::integer as mine from office_request where state = 'waiting' and asked_by = ${staffId}`);
  const groupOf = (kind: InboxKind) => groups.find((group) => group.kind === kind);
  return {
    Groups: inboxKinds.flatMap((Kind) => {
      const group = groupOf(Kind);
      return group
        ? [{ Kind, Count: group.count, OldestAt: group.oldest && new Date(group.oldest).toISOString() }]
        : [];
    }),
    Mine: asked[0]?.mine ?? 0,
  };
}
