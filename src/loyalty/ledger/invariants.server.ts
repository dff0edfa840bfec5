import { sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";

/**
 * A condition that must always hold, as a query for the rows that break it. The queries use the functions `club_day` and
 * `loyalty_person` (db/functions/club_day.sql, db/functions/loyalty_person.sql).
 */
export interface Invariant {
  number: number;
  name: string;
  /** About points and vouchers, not about customers. */
  ofPoints: boolean;
  violations: string;
}

const trigger = (table: string, ...names: string[]) =>
  names
    .map(
      (name) =>
        `select '${name}' as missing where not exists (select 1 from pg_trigger
         where tgrelid = '${table}'::regclass and tgname = '${name}' and tgenabled in ('O', 'A'))`,
    )
    .join(" union all ");

export const invariants: readonly Invariant[] = [
  {
    number: 1,
    name: "the balance is the sum of the entries",
    ofPoints: true,
    violations: `select customer_id from loyalty_account a
      left join (select customer_id, sum(points) as total, (array_agg(balance order by id desc))[1] as last
                 from loyalty_entry group by customer_id) e using (customer_id)
      where a.balance <> coalesce(e.total, 0) or a.balance <> coalesce(e.last, 0)`,
  },
  {
    number: 2,
    name: "no balance is below zero, now or at any entry",
    ofPoints: true,
    violations: `select customer_id from loyalty_account where balance < 0
      union all select customer_id from loyalty_entry where balance < 0
      union all select customer_id from (
        select customer_id, balance, sum(points) over (partition by customer_id order by id) as running
        from loyalty_entry) r where balance <> running`,
  },
  {
    number: 3,
    name: "entries are insert-only",
    ofPoints: true,
    violations: trigger("loyalty_entry", "loyalty_entry_stays", "loyalty_entry_stays_whole"),
  },
  {
    number: 4,
    name: "every entry has a unique cause",
    ofPoints: true,
    violations: `select customer_id, cause from loyalty_entry group by customer_id, cause
      having count(*) > 1 or cause = ''`,
  },
  {
    number: 5,
    name: "one welcome entry per person, ever",
    ofPoints: true,
    violations: `select customer_id from loyalty_entry where kind = 'welcome' group by customer_id having count(*) > 1
      union all select e.customer_id from loyalty_entry e join customer c on c.id = e.customer_id
      where e.kind = 'welcome' and not exists (select 1 from loyalty_welcome where person = loyalty_person(c.email))
      union all select count(*) from loyalty_entry where kind = 'welcome'
      having count(*) > (select count(*) from loyalty_welcome)`,
  },
  {
    number: 6,
    name: "a voucher is exactly one debit of its cost, and the other way round",
    ofPoints: true,
    violations: `select coalesce(v.customer_id, e.customer_id) as customer_id, coalesce(v.id, e.id) as id
      from loyalty_voucher v
      full join (select * from loyalty_entry where kind = 'reward') e using (customer_id, id)
      where v.id is null or e.id is null or e.points <> -v.points or e.at <> v.obtained_at
        or e.cause <> 'voucher:' || v.code`,
  },
  {
    number: 7,
    name: "a voucher only moves forward, and its code is its own",
    ofPoints: true,
    violations: `select null::bigint as customer_id, missing from (${trigger(
      "loyalty_voucher",
      "loyalty_voucher_forward",
      "loyalty_voucher_stays",
      "loyalty_voucher_stays_whole",
    )}) t
      union all select v.customer_id, v.code from loyalty_voucher v
      left join loyalty_voucher_code c on c.code = v.code and c.customer_id = v.customer_id
      where c.code is null or v.used_at < v.obtained_at or v.used_at > v.expires_at
      union all select min(customer_id), code from loyalty_voucher group by code having count(*) > 1`,
  },
  {
    number: 8,
    name: "an event once per customer and period",
    ofPoints: true,
    violations: `select e.customer_id, v.id from loyalty_entry e
      join loyalty_account a using (customer_id)
      join loyalty_event v on v.programme_id = a.programme_id and v.id = (e.label ->> 'event')::integer
      where e.kind = 'event'
      group by e.customer_id, v.id, case v.frequency when 'yearly' then extract(year from club_day(e.at)) end
      having count(*) > 1`,
  },
  {
    number: 9,
    name: "a tier follows from the ledger: the days' sums are the entries'",
    ofPoints: true,
    violations: `select customer_id, day from loyalty_earned_day d
      full join (select customer_id, club_day(at) as day, sum(points) as points,
                   sum(sum(points)) over (partition by customer_id order by club_day(at)) as through
                 from loyalty_entry where points > 0 group by 1, 2) e using (customer_id, day)
      where (d.points, d.through) is distinct from (e.points, e.through)`,
  },
  {
    number: 10,
    name: "the points left in lots are the balance",
    ofPoints: true,
    violations: `select customer_id from loyalty_account a
      left join (select customer_id, sum(remaining) as total from loyalty_lot group by customer_id) l
        using (customer_id)
      where a.balance <> coalesce(l.total, 0)
      union all select e.customer_id from loyalty_entry e
      left join loyalty_lot l on l.customer_id = e.customer_id and l.entry_id = e.id
      where (e.points > 0) <> (l.entry_id is not null) or l.remaining > e.points`,
  },
  {
    number: 11,
    name: "the consent shown is the last row of the consent log",
    ofPoints: false,
    violations: `select c.id, s.subject from customer c
      left join loyalty_account a on a.customer_id = c.id
      cross join lateral (values ('newsletter', c.newsletter), ('sms', c.newsletter_sms),
        ('loyalty', a.state is not distinct from 'active')) s (subject, shown)
      left join lateral (select given from consent
        where customer_id = c.id and subject = s.subject order by id desc limit 1) last on true
      where s.shown <> coalesce(last.given, false)`,
  },
  {
    number: 12,
    name: "one registered customer per normalised address",
    ofPoints: false,
    violations: `select email from customer where not guest group by email having count(*) > 1
      union all select c.email from customer c left join customer_email e on e.customer_id = c.id
      where c.guest = (e.email is not null) or e.email <> c.email or c.email <> lower(trim(c.email))`,
  },
  {
    number: 13,
    name: "a voucher's letter was queued with it",
    ofPoints: false,
    violations: `select v.customer_id, v.id from loyalty_voucher v join customer c on c.id = v.customer_id
      where not exists (select 1 from mail where cause = 'voucher:' || v.customer_id || ':' || v.id)`,
  },
  {
    number: 14,
    name: "every idempotency key that was claimed has its answer",
    ofPoints: true,
    violations: "select customer_id, call, key from idempotency_key where status is null or answer is null",
  },
];

/** How many rows break an invariant, counted up to 1000. */
export async function countViolations(queries: Queries, { violations }: Invariant): Promise<number> {
  const broken = await queries.execute(sql.raw(`select * from (${violations}) v limit 1000`));
  return broken.rows.length;
}
