import { type SQL, sql } from "drizzle-orm";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";

/** Beyond so many the menu says no number, and nothing more is counted. */
const mostCounted = 100;

export interface Waiting {
  Requests: number;
  Campaigns: number;
  Drafts: number;
}

const countOf = (roles: SQL, rows: SQL) => sql`
  case when p.role in (${roles}) then
    (select count(*) from (${rows} limit ${mostCounted}) waiting)
  else 0 end`;

/**
 * What waits for the decision of a person, the row p of staff, as one column of the query that reads who they are: what they
 * may decide and did not ask for themselves. It is read with every page, so each count is of an index of what waits, or of
 * the few campaigns, and PostgreSQL counts nothing for a role that may not decide.
 */
export const waitingFor = (now: Date) => sql`jsonb_build_object(
  'Requests', ${countOf(
    sql`'owner', 'service'`,
    // As src/office/customers/server/approvals/approvals.server.ts lists and decides them: not of an account that is gone, nor of an own one.
    sql`
      select from office_request r join customer c on c.id = r.customer_id
      where r.state = 'waiting' and r.asked_by <> p.id
        and not staff_owns(p.id, r.customer_id) and not coalesce(staff_owns(p.id, r.other_id), false)`,
  )},
  'Campaigns', ${countOf(
    sql`'owner', 'marketing'`,
    sql`
      select from campaign a
      where a.approved_at is null and a.ended_at is null and a.ends_at > ${now.toISOString()}::timestamptz
        and a.created_by <> p.id`,
  )},
  'Drafts', ${countOf(
    sql`'owner', 'marketing'`,
    sql`
      select from loyalty_draft d
      where d.programme_id = ${defaultProgrammeId} and d.state = 'asked' and d.asked_by is distinct from p.id`,
  )})`;
