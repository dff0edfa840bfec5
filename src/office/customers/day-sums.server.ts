import { type SQL, sql } from "drizzle-orm";

/** What counts for a day's limits (src/office/customers/choices.ts#dayLimits). */
export interface DaySums {
  points: number;
  cents: number;
  staffPoints: number;
}

/** What was asked for on the club's day and not declined: for a customer, and by a person for anybody. As JSON. */
export function daySums(asked: { customerId: SQL; staffId: SQL; now: SQL }): SQL<DaySums> {
  const sum = (what: SQL, of: SQL) => sql`(
    select coalesce(sum(${what}), 0) from office_request
    where ${of} and state <> 'declined'
      and asked_at >= club_day(${asked.now})::timestamp at time zone 'Europe/Paris')`;
  const ofCustomer = sql`customer_id = ${asked.customerId}`;
  return sql<DaySums>`json_build_object(
    'points', ${sum(sql`abs(points)`, ofCustomer)}, 'cents', ${sum(sql`cents`, ofCustomer)},
    'staffPoints', ${sum(sql`abs(points)`, sql`asked_by = ${asked.staffId}`)})`;
}
