import { type SQL, sql } from "drizzle-orm";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { StaffRole } from "#platform/api/endpoint.server.ts";
import { conflictRows } from "#shop/sales/review/conflicts.server.ts";

/** Beyond so many the menu says no number, and nothing more is counted. */
const mostCounted = 100;

export type Waiting = Record<"Requests" | "Campaigns" | "Drafts" | "Cases" | "Moved", number>;

interface WaitingRows {
  name: keyof Waiting;
  roles: readonly StaffRole[];
  /** What it is, and since when it waits. */
  rows: SQL;
}

/** What waits for the decision of a person, the row p of staff: what their role may decide and they did not ask for themselves. */
export const waitingRows = (now: Date): WaitingRows[] => [
  {
    ...{ name: "Requests", roles: ["owner", "service"] },
    // As src/office/customers/server/approvals/approvals.server.ts lists and decides them: not of an account that is gone, nor of an own one.
    rows: sql`
      select r.kind, r.asked_at as at from office_request r join customer c on c.id = r.customer_id
      where r.state = 'waiting' and r.asked_by <> p.id
        and not staff_owns(p.id, r.customer_id) and not coalesce(staff_owns(p.id, r.other_id), false)`,
  },
  {
    ...{ name: "Campaigns", roles: ["owner", "marketing"] },
    rows: sql`
      select 'campaign' as kind, a.created_at as at from campaign a
      where a.approved_at is null and a.ended_at is null and a.ends_at > ${now.toISOString()}::timestamptz
        and a.created_by <> p.id`,
  },
  {
    ...{ name: "Drafts", roles: ["owner", "marketing"] },
    rows: sql`
      select 'draft' as kind, d.asked_at as at from loyalty_draft d
      where d.programme_id = ${defaultProgrammeId} and d.state = 'asked' and d.asked_by is distinct from p.id`,
  },
  {
    ...{ name: "Cases", roles: ["owner", "shop"] },
    rows: sql`
      select c.kind, c.at from (${conflictRows()}) c where p.shop_id is null or c.shop_id = p.shop_id`,
  },
  {
    ...{ name: "Moved", roles: ["owner", "service"] },
    rows: sql`select 'moved' as kind, m.at from move_case m where m.closed_at is null`,
  },
];

/**
 * How many of each wait, as one column of the query that reads who a person is. It is read with every page, so each count
 * is of an index of what waits, or of the few campaigns, and PostgreSQL counts nothing for a role that may not decide.
 */
export function waitingFor(now: Date): SQL {
  const counts = waitingRows(now).map(
    ({ name, roles, rows }) => sql`${sql.raw(`'${name}'`)}, case when p.role = any (${sql.param(roles)}::text[]) then
      (select count(*) from (${rows} limit ${mostCounted}) waiting) else 0 end`,
  );
  return sql`jsonb_build_object(${sql.join(counts, sql`, `)})`;
}
