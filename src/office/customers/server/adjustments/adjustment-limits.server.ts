import { type SQL, sql } from "drizzle-orm";
import { defaultProgrammeId, programmeAt } from "#loyalty/programme/programme.server.ts";

/** What counts for a day's limits. */
export interface DaySums {
  points: number;
  cents: number;
  staffPoints: number;
  /** The customer is the person's own account. */
  own: boolean;
  /** Of the programme: what one person may give or take in a day; beyond that a second person decides. */
  limits: { customerPoints: number; customerCents: number; staffPoints: number };
}

/** What the person may still give or take of the customer today without a second person; nothing of the own account. */
export function leftToday(today: DaySums): { points: number; cents: number } {
  if (today.own) return { points: 0, cents: 0 };
  const { limits } = today;
  const points = Math.min(limits.customerPoints - today.points, limits.staffPoints - today.staffPoints);
  return { points: Math.max(0, points), cents: Math.max(0, limits.customerCents - today.cents) };
}

/**
 * What was asked for on the club's day and neither declined nor withdrawn, and what attached receipts have brought: to a
 * customer, and by a person to anybody. As JSON.
 */
export function daySums(asked: { customerId: SQL; staffId: SQL; now: SQL }): SQL<DaySums> {
  const sum = (what: SQL, of: SQL) => sql`(
    select coalesce(sum(${what}), 0) from office_request
    where ${of} and state not in ('declined', 'withdrawn')
      and asked_at >= club_day_start(club_day(${asked.now})))`;
  const attached = (what: "earned" | "valueCents", of: SQL) => sql`(
    select coalesce(sum((after ->> ${sql.raw(`'${what}'`)})::integer), 0) from audit_log
    where ${of} and action = 'receipt_attached' and at >= club_day_start(club_day(${asked.now})))`;
  const ofCustomer = sql`customer_id = ${asked.customerId}`;
  return sql<DaySums>`json_build_object(
    'points', ${sum(sql`abs(points)`, ofCustomer)} + ${attached("earned", ofCustomer)},
    'cents', ${sum(sql`cents`, ofCustomer)} + ${attached("valueCents", ofCustomer)},
    'staffPoints', ${sum(sql`abs(points)`, sql`asked_by = ${asked.staffId}`)} + ${attached("earned", sql`staff_id = ${asked.staffId}`)},
    'own', staff_owns(${asked.staffId}, ${asked.customerId}),
    'limits', (select json_build_object('customerPoints', adjust_customer_points, 'customerCents', adjust_customer_cents,
      'staffPoints', adjust_staff_points) from ${programmeAt(sql`${defaultProgrammeId}::integer`, asked.now)}))`;
}
