import { sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";

/**
 * A condition that must always hold, as a query for the rows that break it. The queries use the functions `club_day` and
 * `loyalty_had_welcome` (db/functions/club_day.sql, db/functions/loyalty_had_welcome.sql).
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
      where e.kind = 'welcome' and not loyalty_had_welcome(c.email)
      union all select count(*) from loyalty_entry where kind = 'welcome'
      having count(*) > (select count(*) from loyalty_welcome)`,
  },
  {
    number: 6,
    name: "a voucher is exactly one debit of its cost, or one entry of 0 points; one that is cancelled one credit of its points",
    ofPoints: true,
    violations: `select coalesce(v.customer_id, e.customer_id) as customer_id, coalesce(v.id, e.id) as id
      from loyalty_voucher v
      full join (select * from loyalty_entry where kind in ('reward', 'reissue', 'gift', 'import_voucher')) e using (customer_id, id)
      where v.id is null or e.id is null or e.at <> v.obtained_at
        or e.points <> case when e.kind = 'reward' then -v.points else 0 end
        or e.kind = 'reward' and e.cause <> 'voucher:' || v.code
      union all select coalesce(x.customer_id, e.customer_id), e.id
      from (select c.customer_id, c.entry_id as id, v.code, v.points from loyalty_voucher_cancel c
            join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code
            -- One that a campaign gave cost no points.
            where c.cancelled_at is not null and v.points > 0) x
      full join (select * from loyalty_entry where kind = 'cancel') e using (customer_id, id)
      where e.id is null or x.points <> e.points
        -- The points of a used voucher, given back while its owner had a debt.
        or x.id is null and not exists (
          select from loyalty_voucher v join loyalty_voucher_use u on u.code = v.code
          where e.cause = 'cancel:' || v.code and v.points = e.points)
      union all select u.customer_id, null from loyalty_voucher_use u
      join loyalty_voucher_cancel c on c.code = u.code and c.cancelled_at is not null`,
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
      left join loyalty_voucher_use u on u.code = v.code
      where c.code is null or v.used_at < v.obtained_at or v.used_at > v.expires_at
        or u.used_at < v.obtained_at or u.used_at > v.expires_at or u.used_at is not null and v.used_at is not null
      union all select min(customer_id), code from loyalty_voucher group by code having count(*) > 1`,
  },
  {
    number: 8,
    name: "an event once per customer and period",
    ofPoints: true,
    violations: `select e.customer_id, v.id from loyalty_entry e
      join (select distinct id, frequency from loyalty_event) v on v.id = (e.label ->> 'event')::integer
      where e.kind = 'event'
      group by e.customer_id, v.id, case v.frequency when 'yearly' then extract(year from club_day(e.at)) end
      having count(*) > 1`,
  },
  {
    number: 9,
    name: "a tier follows from the ledger: a day's points are what was earned on it less what was taken back of it",
    ofPoints: true,
    violations: `select customer_id, day from loyalty_earned_day d
      full join (select customer_id, day, sum(points) as points,
                   sum(sum(points)) over (partition by customer_id order by day) as through
                 from (select customer_id, club_day(at) as day, points from loyalty_entry
                       where points > 0 and kind not in ('cancel', 'undo', 'import')
                       -- What another club counted.
                       union all select customer_id, day, points from loyalty_import_day
                       -- An exchange may have used up points that count all the same.
                       union all select p.customer_id, club_day(p.sold_at), p.counts - coalesce(e.points, 0)
                       from loyalty_pending p
                       left join loyalty_entry e
                         on e.customer_id = p.customer_id and e.id = p.entry_id and e.kind = 'purchase'
                       where p.arrived_at is not null
                       union all select customer_id, counted_on, -points from loyalty_claw_back
                       where counted_on is not null) m
                 group by 1, 2 having sum(points) <> 0) e using (customer_id, day)
      where (d.points, d.through) is distinct from (e.points, e.through)
        and not exists (select from customer_merge m where m.customer_id = coalesce(d.customer_id, e.customer_id))`,
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
      where (e.points > 0 and e.kind not in ('cancel', 'undo')) <> (l.entry_id is not null) or l.remaining > e.points
        or l.expires_at <> e.expires_at
      union all select u.customer_id from loyalty_lot_use u
      join loyalty_entry e on e.customer_id = u.customer_id and e.id = u.entry_id and e.points < 0
      group by u.customer_id, u.entry_id, e.points having sum(u.points) <> -e.points`,
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
      where v.reward_id is not null
        and not exists (select 1 from mail where cause = 'voucher:' || v.customer_id || ':' || v.id)`,
  },
  {
    number: 14,
    name: "every idempotency key that was claimed has its answer",
    ofPoints: true,
    violations: "select customer_id, call, key from idempotency_key where status is null or answer is null",
  },
  {
    number: 15,
    name: "the points of a purchase are those of what is left of the lines that were found to earn, by its frozen rule",
    ofPoints: true,
    violations: `select s.shop_id, s.number from shop_sale s
      left join loyalty_pending w
        on w.customer_id = s.customer_id and w.cause = 'purchase:' || s.shop_id || ':' || s.number
      left join loyalty_entry e on e.customer_id = s.customer_id and e.id = s.entry_id
      cross join lateral (
        select sum(one.cents) as cents,
          coalesce(sum(one.cents) filter (where s.campaign_lines is null or line ->> 'line' = any (s.campaign_lines)), 0)
            as campaign_cents
        from jsonb_array_elements(s.lines) line
        cross join lateral (select (line ->> 'paidCents')::bigint - coalesce((
          select sum((refund ->> 'cents')::bigint) from shop_return r
          cross join jsonb_array_elements(r.refunds) refund
          where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied'
            and refund ->> 'line' = line ->> 'line'), 0) as cents) one
        where (line ->> 'earns')::boolean) lines_left
      -- Without its campaign, whose points may be limited.
      cross join lateral (select least(1000000000, trunc(
        lines_left.cents * s.points_per_euro * s.multiplier_hundredths / (100 * cents_per_unit()))) as points) plain
      cross join lateral (
        select coalesce(w.points, e.points) - coalesce((
            select sum(c.points) from loyalty_claw_back c
            where c.customer_id = s.customer_id and c.purchase = 'purchase:' || s.shop_id || ':' || s.number), 0)
          - plain.points - least(s.campaign_cap_points, least(1000000000, trunc(
              (lines_left.cents * 100 + lines_left.campaign_cents * (coalesce(s.campaign_multiplier_hundredths, 100) - 100))
                * s.points_per_euro * s.multiplier_hundredths / (10000 * cents_per_unit())))
            + case when lines_left.campaign_cents >= coalesce(s.campaign_minimum_cents, 1)
              then coalesce(s.campaign_extra_points, 0) else 0 end - plain.points) as points) too_many
      join loyalty_account a on a.customer_id = s.customer_id
      -- From an erased customer, what is given back afterwards takes nothing.
      where e.kind <> 'purchase' or too_many.points < 0 or too_many.points > 0 and a.state <> 'erased'
        or w.arrived_at is null and w.counts < w.remaining
      union all select e.customer_id, e.cause from loyalty_entry e where e.kind = 'purchase'
        -- Where an account has become part of another, its sales name the other's copy of the entry.
        and not exists (select from customer_merge m where m.customer_id = e.customer_id)
        and not exists (select from shop_sale s where s.customer_id = e.customer_id and s.entry_id = e.id)
      union all select s.shop_id, s.number from shop_sale s cross join jsonb_array_elements(s.lines) line
        where (line ->> 'earns')::boolean and (line ->> 'priceType' = 'giftcard' or line ? 'ruledOut')`,
  },
  {
    number: 16,
    name: "the voucher shares of a receipt are what its vouchers took off, on lines that they could pay",
    ofPoints: true,
    violations: `select shop_id, number from shop_sale
      where (select coalesce(sum((line ->> 'shareCents')::bigint), 0) from jsonb_array_elements(lines) line)
        <> (select coalesce(sum((used ->> 'takenCents')::bigint), 0) from jsonb_array_elements(vouchers) used)
      union all select s.shop_id, s.number from shop_sale s cross join jsonb_array_elements(s.lines) line
        where (line ->> 'shareCents')::bigint > 0 and (line ->> 'priceType' = 'giftcard'
          or not (line ->> 'earns')::boolean and not line ? 'ruledOut'
          or not exists (select from jsonb_array_elements(s.vouchers) used
            where not used ? 'lines' or used -> 'lines' ? (line ->> 'line')))`,
  },
  {
    number: 17,
    name: "a voucher used at a till names its receipt, and the receipt names it",
    ofPoints: true,
    violations: `select coalesce(u.code, s.code) as code from loyalty_voucher_use u
      full join (select used ->> 'code' as code, shop_id, number, (used ->> 'takenCents')::integer as taken
                 from shop_sale cross join jsonb_array_elements(vouchers) used) s using (code)
      where (u.shop_id, u.receipt_number, u.taken_cents) is distinct from (s.shop_id, s.number, s.taken)`,
  },
  {
    number: 18,
    name: "the balance less the debt is what was credited, less what was taken back, spent and lapsed, plus debt waived",
    ofPoints: true,
    violations: `select customer_id from loyalty_account a
      left join (select customer_id, sum(points) as total from loyalty_entry
                 where kind not in ('return', 'settle', 'undo') group by 1) e using (customer_id)
      left join (select customer_id, sum(taken + owed) as total from loyalty_claw_back group by 1) c using (customer_id)
      left join (select customer_id, sum(remaining) as open, sum(waived) as waived from loyalty_debt group by 1) d
        using (customer_id)
      where a.balance - coalesce(d.open, 0)
        <> coalesce(e.total, 0) - coalesce(c.total, 0) + coalesce(d.waived, 0)`,
  },
  {
    number: 19,
    name: "a shop's receipt number stands for one sale or one return",
    ofPoints: true,
    violations: `select shop_id, number from shop_receipt group by 1, 2 having count(*) > 1
      union all select s.shop_id, s.number from shop_sale s
      join shop_return r on r.shop_id = s.shop_id and r.number = s.number and r.kind = 'return'`,
  },
  {
    number: 20,
    name: "every sale, applied return, used voucher and credit or claw-back of points has its webhook event",
    ofPoints: true,
    // A day's margin between the clock of the process and that of the database.
    violations: `with since as (select at + interval '1 day' as at from webhook_since)
      select 'purchase.posted' as type, s.shop_id::bigint as id, s.number from shop_sale s
      join shop_receipt r using (shop_id, number) where r.arrived_at >= (select at from since) and s.former_source is null
        and not exists (select from webhook_event e where e.type = 'purchase.posted' and e.shop_id = s.shop_id
          and e.payload ->> 'ReceiptNumber' = s.number)
      union all select 'purchase.returned', s.shop_id, s.number from shop_return s
      join shop_receipt r using (shop_id, number) where s.state = 'applied' and r.arrived_at >= (select at from since)
        and not exists (select from webhook_event e where e.type = 'purchase.returned' and e.shop_id = s.shop_id
          and e.payload ->> 'ReceiptNumber' = s.number and e.payload ->> 'Kind' = s.kind)
      union all select 'voucher.used', v.customer_id, null from loyalty_voucher v
      left join loyalty_voucher_use u on u.code = v.code
      where coalesce(u.used_at, v.used_at) >= (select at from since)
        and not exists (select from webhook_event e where e.type = 'voucher.used' and e.customer_id = v.customer_id
          and e.payload ->> 'IdCustomerReward' = v.id::text)
      union all select 'voucher.cancelled', c.customer_id, c.code from loyalty_voucher_cancel c
      where c.cancelled_at >= (select at from since)
        and not exists (select from webhook_event e join loyalty_voucher v on v.code = c.code
          where e.type = 'voucher.cancelled' and e.customer_id = c.customer_id
            and e.payload ->> 'IdCustomerReward' = v.id::text)
      union all select 'points.pending', p.customer_id, p.cause from loyalty_pending p
      where p.sold_at >= (select at from since) and p.cause like 'purchase:%'
        and not exists (select from webhook_event e where e.type = 'points.pending'
          and 'purchase:' || (e.payload ->> 'IdShop') || ':' || (e.payload ->> 'ReceiptNumber') = p.cause)
      union all select 'points', p.customer_id, p.cause from loyalty_entry p
      where (p.points > 0 and p.kind not in ('cancel', 'import') or p.kind = 'return') and p.at >= (select at from since)
        and not exists (select from webhook_event e where e.customer_id = p.customer_id
          and e.type = case when p.points > 0 then 'points.earned' else 'points.taken' end
          and e.payload ->> 'IdEntry' = p.id::text)`,
  },
  {
    number: 21,
    name: "the metrics by day are what the ledger says",
    ofPoints: true,
    // Amounts of old receipts that named no customer are deleted; the metrics keep them. Who joined and left is compared as a sum.
    violations: `with kept as (
        select day, metric, part, sum(count) as count, sum(amount) as amount from metric_all group by 1, 2, 3),
      last as (select greatest(club_day(now()), max(day)) as day from kept where metric in ('left', 'merged', 'sale_named'))
      select metric, day from kept k full join metric_ledger l using (day, metric, part)
      where metric not in ('joined', 'left', 'erased', 'merged', 'active', 'waived')
        and (coalesce(k.count, 0), coalesce(k.amount, 0)) is distinct from (coalesce(l.count, 0), coalesce(l.amount, 0))
        and not (metric = 'sale_unnamed' and k.count >= coalesce(l.count, 0) and k.amount >= coalesce(l.amount, 0))
      union all select 'members', null from kept having coalesce(sum(count * case
          when metric = 'joined' then 1 when metric in ('left', 'erased', 'merged') then -1 else 0 end), 0)
        <> (select count(*) from loyalty_account where state = 'active')
      union all select 'active', day from (
        select day, sum(count) as count from kept where metric = 'active' group by 1) f
      full join (select until as day, -count(*) as count from loyalty_activity group by 1) a using (day)
      where day > (select day from last) and coalesce(f.count, 0) <> coalesce(a.count, 0)
      union all select 'active', null from kept where metric = 'active' and day <= (select day from last)
      having coalesce(sum(count), 0) <> (select count(*) from loyalty_activity where until > (select day from last))
      union all select 'waived', null from kept where metric = 'waived' having coalesce(sum(amount), 0)
        <> (select coalesce(sum(waived), 0) from loyalty_debt d
            where not exists (select from customer_merge m where m.customer_id = d.customer_id))`,
  },
  {
    number: 22,
    name: "a closed month leads from the closing balance before to its own, and both are what the ledger says",
    ofPoints: true,
    // The vouchers of the last months alone: their state at a moment takes a pass of its own for each.
    violations: `with closed as (
        select month, ends_at, book, lag(book) over (order by month) as before, rank() over (order by month desc) as age
        from month_end where closed_at is not null),
      points as (select date_trunc('month', club_day(recorded_at)::timestamp)::date as month, sum(points) as points
        from loyalty_entry where not copied group by 1),
      pending as (select date_trunc('month', club_day(at)::timestamp)::date as month, sum(points) as points from (
          select recorded_at as at, booked as points from loyalty_pending
          union all select arrived_at, -remaining from loyalty_pending where arrived_at is not null
          union all select recorded_at, -pending from loyalty_claw_back where pending > 0 and not copied) moved group by 1)
      select month, name from closed c cross join unnest(array['points', 'pending', 'vouchers']) name
      where (book -> name -> 'opening')::bigint + coalesce((
          select sum((moved -> 'amount')::bigint) from jsonb_array_elements(book -> name -> 'movements') moved), 0)
          <> (book -> name -> 'closing')::bigint
        or (book -> name -> 'opening')::bigint <> (before -> name -> 'closing')::bigint
      union all select month, 'points' from closed c where (book -> 'points' -> 'closing')::bigint
        <> (select coalesce(sum(p.points), 0) from points p where p.month <= c.month)
      union all select month, 'pending' from closed c where (book -> 'pending' -> 'closing')::bigint
        <> (select coalesce(sum(p.points), 0) from pending p where p.month <= c.month)
      union all select month, 'vouchers' from closed c where age <= 3 and (book -> 'vouchers' -> 'closing')::bigint <> (
        select coalesce(sum(v.amount_cents), 0) from loyalty_voucher v join loyalty_entry e using (customer_id, id)
        join loyalty_account a using (customer_id)
        left join loyalty_voucher_use u on u.code = v.code
        left join loyalty_voucher_cancel x on x.code = v.code
        left join loyalty_entry xe on xe.customer_id = x.customer_id and xe.id = x.entry_id
        where e.recorded_at < c.ends_at and v.expires_at >= c.ends_at and coalesce(least(
          coalesce(u.recorded_at, v.used_recorded_at, v.used_at), xe.recorded_at,
          case when a.erased_at <= v.expires_at then a.erased_at end) >= c.ends_at, true))
      union all select null, missing from (${[
        trigger("month_end", "month_end_stays", "month_end_stays_whole"),
        trigger("loyalty_entry", "loyalty_entry_books"),
        trigger("loyalty_voucher_use", "loyalty_voucher_use_books"),
        trigger("loyalty_pending", "loyalty_pending_books"),
        trigger("loyalty_claw_back", "loyalty_claw_back_books"),
      ].join(" union all ")}) t`,
  },
  {
    number: 23,
    name: "points for a friend are credited once, never to the friend, for so many friends a year, and taken back once",
    ofPoints: true,
    violations: `select e.customer_id, e.cause from loyalty_entry e
      left join loyalty_referral r on r.member_id = e.customer_id and 'referral:' || r.id = e.cause
      -- Where an account has become part of another, the copy of the entry is the other's.
      where e.kind = 'referral' and r.points is distinct from e.points
        and not exists (select from customer_merge m where m.customer_id = e.customer_id)
      union all select r.member_id, 'referral:' || r.id from loyalty_referral r
      join loyalty_account a on a.customer_id = r.member_id
      left join loyalty_entry e on e.customer_id = r.member_id and e.cause = 'referral:' || r.id and e.kind = 'referral'
      left join loyalty_claw_back c on c.customer_id = r.member_id and c.purchase = 'referral:' || r.id
      where (r.credited_at is null) <> (e.id is null) or r.state in ('credited', 'revoked') and c.cause is not null
        or r.state = 'taken_back' and a.state <> 'erased' and c.points is distinct from r.points
      union all select customer_id, null from loyalty_referral where state = 'credited'
      group by customer_id having count(*) > 1 or bool_or(customer_id = member_id)
      union all select member_id, null from loyalty_referral r
      where credited_at is not null and not exists (select from customer_merge m where m.into_id = r.member_id)
      group by member_id, extract(year from club_day(credited_at))
      having count(*) > (select max((referral ->> 'perYear')::integer) from loyalty_programme)`,
  },
];

/** How many rows break an invariant, counted up to 1000. */
export async function countViolations(queries: Queries, { violations }: Invariant): Promise<number> {
  const broken = await queries.execute(sql.raw(`select * from (${violations}) v limit 1000`));
  return broken.rows.length;
}
