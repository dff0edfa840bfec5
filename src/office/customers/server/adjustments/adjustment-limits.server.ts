import { type SQL, sql } from "drizzle-orm";

/** Points and euros that one person may give or take in a day; beyond that a second person decides. */
const dayLimits = { customerPoints: 250, customerCents: 1_000, staffPoints: 1_000 };

/** What counts for a day's limits. */
export interface DaySums {
  points: number;
  cents: number;
  staffPoints: number;
  /** The customer is the person's own account. */
  own: boolean;
}

/** What the person may still give or take of the customer today without a second person; nothing of the own account. */
export function leftToday(today: DaySums): { points: number; cents: number } {
  if (today.own) return { points: 0, cents: 0 };
  const points = Math.min(dayLimits.customerPoints - today.points, dayLimits.staffPoints - today.staffPoints);
  return { points: Math.max(0, points), cents: Math.max(0, dayLimits.customerCents - today.cents) };
}

/** What was asked for on the club's day and neither declined nor withdrawn: for a customer, and by a person for anybody. As JSON. */
export function daySums(asked: { customerId: SQL; staffId: SQL; now: SQL }): SQL<DaySums> {
  const sum = (what: SQL, of: SQL) => sql`(
    select coalesce(sum(${what}), 0) from office_request
    where ${of} and state not in ('declined', 'withdrawn')
      and asked_at >= club_day_start(club_day(${asked.now})))`;
  const ofCustomer = sql`customer_id = ${asked.customerId}`;
  return sql<DaySums>`json_build_object(
    'points', ${sum(sql`abs(points)`, ofCustomer)}, 'cents', ${sum(sql`cents`, ofCustomer)},
    'staffPoints', ${sum(sql`abs(points)`, sql`asked_by = ${asked.staffId}`)},
    'own', staff_owns(${asked.staffId}, ${asked.customerId}))`;
}
