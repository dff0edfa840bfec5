import { cause, existed, lotCause, ofKnown, type Statement } from "./batch.server.ts";

const addHistory = (
  which: string,
) => `insert into loyalty_import_history (customer_id, source, entry_id, at, points, text)
  select b.customer_id, n.source, h.entry_id, h.at, h.points, h.text
  from batch b join stage_history h using (source_id) cross join stage_now n where ${which}`;

/** What an earlier package brought is corrected. */
const correctPoints: Statement[] = [
  // What an earlier package brought and this one has with other points, or no longer: spent there since. Lots that have
  // lapsed by themselves are no change. Customers who have moved points here since then are left as they are.
  `insert into batch_changes
   select known.customer_id, known.cause, coalesce(l.points, 0) - known.points, known.expires_at,
     exists (select from loyalty_entry e where e.customer_id = known.customer_id and e.at > known.moved_at
       and e.kind not in ('import', 'import_voucher', 'expiry')), coalesce(l.line, 0)
   from (
     select e.customer_id, b.source_id, k.moved_at, ${lotCause} as cause, sum(e.points)::integer as points,
       max(e.expires_at) as expires_at
     from batch b cross join stage_now n
     join move_member k on k.source = n.source and k.source_id = b.source_id
     join loyalty_entry e on e.customer_id = b.customer_id and e.kind = 'import'
       and e.cause like 'import:' || replace(n.source, '_', '\\_') || ':%'
     where b.fate = 'known'
     group by 1, 2, 3, 4 having max(e.expires_at) > (select taken_at from stage_now)
   ) known cross join stage_now n
   left join stage_lots l on l.source_id = known.source_id and ${cause("l.lot_id")} = known.cause
   where coalesce(l.points, 0) <> known.points`,
  `insert into move_rejected (run_id, file, line, field, value, reason, whole_row, source_id)
   select n.run_id, 'lots.csv', c.line, 'Points', c.cause, 'moved_here', true, b.source_id
   from batch_changes c join (select distinct on (customer_id) customer_id, source_id from batch) b using (customer_id)
   cross join stage_now n where c.touched`,
  "insert into kept_lots select customer_id, cause from batch_changes where touched",
  "delete from batch_changes where touched",
  `with open as (
     select e.customer_id, ${lotCause} as cause, l.entry_id, l.remaining,
       sum(l.remaining) over (partition by e.customer_id, ${lotCause} order by l.entry_id) - l.remaining as before
     from batch_changes c join loyalty_entry e on e.customer_id = c.customer_id and ${lotCause} = c.cause and e.kind = 'import'
     join loyalty_lot l on l.customer_id = e.customer_id and l.entry_id = e.id
     where c.change < 0 and l.remaining > 0
   ), taken as (
     select o.customer_id, o.cause, o.entry_id, least(o.remaining, -c.change - o.before)::integer as points
     from open o join batch_changes c using (customer_id, cause) where o.before < -c.change
   ), written as (
     insert into loyalty_entry (customer_id, at, kind, points, balance, cause, recorded_at)
     select t.customer_id, n.moment, 'import', -t.points,
       b.base - sum(t.points) over (partition by t.customer_id order by t.cause), t.cause || ' #' || extract(epoch from n.taken_at)::bigint, n.booked_at
     from (select customer_id, cause, sum(points)::integer as points from taken group by 1, 2) t
     join (select distinct customer_id, base from batch) b using (customer_id) cross join stage_now n
     order by t.customer_id, t.cause returning customer_id, id, points, ${lotCause.replace("e.", "")} as cause, at
   ), uses as (
     insert into loyalty_lot_use (customer_id, entry_id, lot_id, points)
     select t.customer_id, w.id, t.entry_id, t.points from taken t join written w using (customer_id, cause)
   ), metrics as (
     insert into metric_delta (day, metric, part, count, amount)
     select club_day(at), metric_of_entry('import', -1, ''), 0, count(*), -sum(points) from written group by 1
   ), accounts as (
     update loyalty_account a set balance = a.balance + w.points
     from (select customer_id, sum(points)::integer as points from written group by 1) w where a.customer_id = w.customer_id
   )
   update loyalty_lot l set remaining = l.remaining - t.points from taken t
   where l.customer_id = t.customer_id and l.entry_id = t.entry_id`,
  `update batch b set base = a.balance from loyalty_account a where ${existed} and a.customer_id = b.customer_id`,
].map(ofKnown);

/** Points: what an earlier package brought is corrected, the rest is added; what is pending or owed; the old history. */
export const addPoints: Statement[] = [
  ...correctPoints,

  // Points: one entry and one lot each, and those that were added to a known lot since.
  `with lots as (
     select b.customer_id, l.points, l.earned_at, l.expires_at, ${cause("l.lot_id")} as cause, l.kind, b.base, b.tier_id
     from batch b join stage_lots l using (source_id) cross join stage_now n
     where b.account is not null and coalesce(l.available_at, n.taken_at) <= n.taken_at
       and (not (${existed}) or not exists (
         select from loyalty_entry e where e.customer_id = b.customer_id and e.cause = ${cause("l.lot_id")})
         and not exists (
         select from loyalty_pending p where p.customer_id = b.customer_id and p.cause = ${cause("l.lot_id")}))
     union all
     select c.customer_id, c.change, n.taken_at, c.expires_at, c.cause || ' #' || extract(epoch from n.taken_at)::bigint, null,
       b.base, b.tier_id
     from batch_changes c join (select distinct on (customer_id) customer_id, base, tier_id from batch) b using (customer_id)
     cross join stage_now n where c.change > 0
   ), written as (
     insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at, recorded_at)
     select customer_id, earned_at, 'import', points,
       base + sum(points) over (partition by customer_id order by earned_at, cause), cause,
       case when kind is null then '{}'::jsonb else jsonb_build_object('text', kind) end, expires_at, n.booked_at
     from lots cross join stage_now n order by customer_id, earned_at, cause
     returning customer_id, id, at, points, expires_at
   ), tiers as (select distinct on (customer_id) customer_id, tier_id, fate from batch
   ), metrics as (
     insert into metric_delta (day, metric, part, count, amount)
     select club_day(at), metric_of_entry('import', 1, ''), 0, count(*), sum(points) from written group by 1
     union all
     select date_trunc('month', club_day(w.expires_at)::timestamp)::date, 'outstanding', t.tier_id, 0, sum(w.points)
     from written w join tiers t using (customer_id) group by 1, 3
   ), accounts as (
     update loyalty_account a set balance = a.balance + w.points
     from (select w.customer_id, sum(w.points)::integer as points from written w
           join tiers t using (customer_id) where t.fate <> 'new' group by 1) w
     where a.customer_id = w.customer_id
   )
   insert into loyalty_lot (customer_id, entry_id, expires_at, remaining, tier_id)
   select w.customer_id, w.id, w.expires_at, w.points, t.tier_id from written w join tiers t using (customer_id)`,

  `with coming as (
     insert into loyalty_pending (customer_id, cause, sold_at, arrives_at, points, remaining, counts, label, expires_at,
       recorded_at, booked)
     select b.customer_id, ${cause("l.lot_id")}, l.earned_at, l.available_at, greatest(l.points, l.points_earned), l.points,
       coalesce(l.points_earned, case when n.has_days then 0 else l.points end),
       case when l.kind is null then '{}'::jsonb else jsonb_build_object('text', l.kind) end, l.expires_at, n.booked_at, l.points
     from batch b join stage_lots l using (source_id) cross join stage_now n
     where b.account is not null and l.available_at > n.taken_at
     on conflict do nothing returning arrives_at, remaining)
   insert into metric_delta (day, metric, part, count, amount)
   select club_day(arrives_at), 'pending', 0, 0, sum(remaining) from coming group by 1`,

  `with owed as (
     insert into loyalty_debt (customer_id, cause, owed_at, points, remaining)
     select b.customer_id, ${cause("d.debt_id")}, d.owed_at, d.points, d.points
     from batch b join stage_debts d using (source_id) cross join stage_now n where b.account is not null
     on conflict do nothing returning customer_id, cause, owed_at, points)
   insert into loyalty_claw_back (customer_id, cause, at, points, taken, lapsed, owed, recorded_at)
   select customer_id, cause, owed_at, points, 0, 0, points, booked_at from owed cross join stage_now`,

  // Rows of customers who are new can be no conflict, and to look for one takes as long as the row.
  addHistory("b.fate = 'new'"),
  ofKnown(addHistory(`${existed} on conflict do nothing`)),
];
