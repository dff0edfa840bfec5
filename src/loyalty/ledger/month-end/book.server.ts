import { type SQL, sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import type { AgeRow, Liability } from "./liability.ts";

type AccountName = "points" | "pending" | "vouchers";

/** What an account held when the month began, what moved, and what it held when the month ended. */
interface Account {
  opening: number;
  movements: { name: string; amount: number }[];
  closing: number;
}

/** The book of a month: points, pending points, and vouchers in cents. Months are written as 2026-03. */
export interface MonthBook extends Record<AccountName, Account> {
  /** Points at the end, by the month in which they expire and the tier in which they were earned. */
  lots: { expires: string; tierId: number; points: number }[];
  /** Vouchers at the end, by the month in which they expire. */
  openVouchers: { expires: string; cents: number }[];
  ages: AgeRow[];
  /** What was booked in this month and belongs to an earlier one. */
  earlier: { account: AccountName; name: string; month: string; amount: number }[];
  /** Stored when the month is closed. */
  liability?: Liability;
}

interface Moved {
  name: string;
  /** The month to which it belongs. */
  origin: string | null;
  amount: string;
}

/**
 * The book of a month, out of the ledger. Balances at a moment are those of now without what was booked since, so that a
 * month costs what happened since it began, and not what happened ever. What a merge copied was booked before.
 */
export async function readBook(queries: Queries, month: string): Promise<MonthBook> {
  const from = sql`club_day_start(${month}::date)`;
  const to = sql`club_day_start((${month}::date + interval '1 month')::date)`;
  const points = await movedPoints(queries, from, to);
  const pending = await movedPending(queries, from, to);
  const vouchers = await movedVouchers(queries, from, to);
  const changes = await readLotChanges(queries, from, to);
  const left = [...(await readLotsNow(queries)), ...changes.filter(({ how }) => how === "left")];
  const book = { points: accountOf(points), pending: accountOf(pending), vouchers: accountOf(vouchers) };
  const total = sum(left.map(({ points }) => points));
  if (total !== book.points.closing)
    throw new Error(`The lots of ${month} hold ${total} points, the ledger ${book.points.closing}.`);
  return {
    ...book,
    lots: lotsOf(left),
    openVouchers: vouchers
      .filter(({ name }) => name === "open")
      .map(({ origin, amount }) => ({ expires: origin ?? "", cents: Number(amount) })),
    ages: agesOf([...(await readAgesNow(queries)), ...changes], month),
    earlier: Object.entries({ points, pending, vouchers }).flatMap(([account, moved]) =>
      moved
        .filter(({ name, origin }) => name !== "open" && origin !== null && origin < month.slice(0, 7))
        .map(({ name, origin, amount }) => ({
          ...{ account: account as AccountName, name, month: origin ?? "", amount: Number(amount) },
        }))
        .filter(({ amount }) => amount !== 0),
    ),
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

function accountOf(moved: Moved[]): Account {
  const amountOf = (name: string) => sum(moved.filter((row) => row.name === name).map(({ amount }) => Number(amount)));
  const names = [...new Set(moved.map(({ name }) => name))].filter(
    (name) => !["opening", "closing", "open"].includes(name),
  );
  const movements = names
    .sort()
    .map((name) => ({ name, amount: amountOf(name) }))
    .filter(({ amount }) => amount !== 0);
  const account = { opening: amountOf("opening"), movements, closing: amountOf("closing") };
  if (account.opening + sum(movements.map(({ amount }) => amount)) !== account.closing)
    throw new Error(
      `The movements do not lead from the opening balance to the closing one: ${JSON.stringify(account)}`,
    );
  return account;
}

const monthOf = (moment: SQL) => sql`to_char(club_day(${moment}), 'YYYY-MM')`;

const rowsOf = async (queries: Queries, query: SQL) =>
  (await queries.execute<Moved & Record<string, unknown>>(query)).rows;

/**
 * Points, by the metric that counts them (db/functions/metric_of_entry.sql). A return belongs to the month of its sale;
 * points of a purchase that were pending belong to the month in which they arrive.
 */
const movedPoints = (queries: Queries, from: SQL, to: SQL) =>
  rowsOf(
    queries,
    sql`with moved as (
      select e.recorded_at >= ${to} as later, metric_of_entry(e.kind, e.points, e.cause) as name, ${monthOf(sql`case e.kind
        when 'purchase' then coalesce(p.arrives_at, e.at)
        when 'return' then coalesce(bought.at, waited.sold_at, e.at)
        when 'import' then e.recorded_at
        else e.at end`)} as origin, sum(e.points) as points
      from loyalty_entry e
      left join loyalty_pending p on e.kind = 'purchase' and p.customer_id = e.customer_id and p.cause = e.cause
      left join loyalty_claw_back c on e.kind = 'return' and c.customer_id = e.customer_id and c.cause = e.cause
      left join loyalty_entry bought on bought.customer_id = c.customer_id and bought.id = c.purchase_id
      left join loyalty_pending waited on waited.customer_id = c.customer_id and waited.cause = c.purchase
      where e.recorded_at >= ${from} and not e.copied and e.points <> 0 group by 1, 2, 3
    ), live as (select coalesce(sum(balance), 0) as points from loyalty_account)
    select 'opening' as name, null as origin, live.points - (select coalesce(sum(points), 0) from moved) as amount from live
    union all
    select 'closing', null, live.points - (select coalesce(sum(points), 0) from moved where later) from live
    union all
    select name, origin, points from moved where not later
    order by 1, 2`,
  );

/** Points of purchases that have not arrived. */
const movedPending = (queries: Queries, from: SQL, to: SQL) =>
  rowsOf(
    queries,
    sql`with moved as (
      select 'added' as name, p.recorded_at as at,
        case when p.cause like 'import:%' then p.recorded_at else p.sold_at end as origin, p.booked as points
      from loyalty_pending p where p.recorded_at >= ${from}
      union all
      select case when p.forfeited then 'forfeited' else 'arrived' end, p.arrived_at, p.arrived_at, -p.remaining
      from loyalty_pending p where p.arrived_at >= ${from} and p.remaining > 0
      union all
      select 'taken_back', c.recorded_at, coalesce(p.sold_at, c.at), -c.pending
      from loyalty_claw_back c left join loyalty_pending p on p.customer_id = c.customer_id and p.cause = c.purchase
      where c.recorded_at >= ${from} and c.pending > 0 and not c.copied
    ), live as (select coalesce(sum(remaining), 0) as points from loyalty_pending where arrived_at is null)
    select 'opening' as name, null as origin, live.points - (select coalesce(sum(points), 0) from moved) as amount from live
    union all
    select 'closing', null, live.points - (select coalesce(sum(points), 0) from moved where at >= ${to}) from live
    union all
    select name, ${monthOf(sql`origin`)}, sum(points) from moved where at < ${to} group by 1, 2
    order by 1, 2`,
  );

/**
 * Vouchers, in cents. One expires without a row, at the end of its last day; a use that a till tells of later, in another
 * month, takes that back. A voucher of a customer who was erased can no longer be used.
 */
const movedVouchers = (queries: Queries, from: SQL, to: SQL) =>
  rowsOf(
    queries,
    sql`with chosen as (
      select customer_id, id from loyalty_voucher where expires_at >= ${from} or used_recorded_at >= ${from}
      union
      select customer_id, id from loyalty_entry
      where recorded_at >= ${from} and kind in ('reward', 'reissue', 'gift', 'import_voucher')
      union
      select v.customer_id, v.id from loyalty_voucher_use u
      join loyalty_voucher v on v.customer_id = u.customer_id and v.code = u.code where u.recorded_at >= ${from}
    ), voucher as (
      select v.amount_cents as cents, case when e.copied then 'merged' else 'issued_' || e.kind end as name,
        e.recorded_at as issued_at, case when e.kind = 'import_voucher' then e.recorded_at else v.obtained_at end as origin,
        v.expires_at, ended.at as ended_at, ended.name as ended, ended.origin as ended_origin
      from chosen join loyalty_voucher v using (customer_id, id) join loyalty_entry e using (customer_id, id)
      join loyalty_account a using (customer_id)
      left join loyalty_voucher_use u on u.code = v.code
      left join loyalty_voucher_cancel x on x.code = v.code
      left join loyalty_entry cancelled on cancelled.customer_id = x.customer_id and cancelled.id = x.entry_id
      left join lateral (
        select * from (values
          (coalesce(u.recorded_at, v.used_recorded_at, v.used_at), 'used', coalesce(u.used_at, v.used_at)),
          -- One that cost no points is cancelled without an entry.
          (coalesce(cancelled.recorded_at, x.cancelled_at), 'cancelled', coalesce(cancelled.at, x.cancelled_at)),
          (case when a.erased_at <= v.expires_at then a.erased_at end,
            case when exists (select from customer_merge m where m.customer_id = v.customer_id)
              then 'merged' else 'forfeited' end, a.erased_at)) ends (at, name, origin)
        where ends.at is not null order by ends.at limit 1) ended on true
    )
    select 'opening' as name, null as origin, coalesce(sum(cents), 0) as amount from voucher
    where issued_at < ${from} and expires_at >= ${from} and coalesce(ended_at >= ${from}, true)
    union all
    select 'closing', null, coalesce(sum(cents), 0) from voucher
    where issued_at < ${to} and expires_at >= ${to} and coalesce(ended_at >= ${to}, true)
    union all
    select 'open', ${monthOf(sql`expires_at`)}, sum(cents) from voucher
    where issued_at < ${to} and expires_at >= ${to} and coalesce(ended_at >= ${to}, true) group by 2
    union all
    select name, ${monthOf(sql`origin`)}, sum(cents) from voucher
    where issued_at >= ${from} and issued_at < ${to} group by 1, 2
    union all
    select ended, ${monthOf(sql`ended_origin`)}, -sum(cents) from voucher
    where ended_at >= ${from} and ended_at < ${to} group by 1, 2
    union all
    select 'expired', null, -sum(cents) from voucher
    where issued_at < ${to} and expires_at < ${to} and greatest(issued_at, expires_at) >= ${from}
      and coalesce(ended_at >= ${to}, true) having count(*) > 0
    union all
    select 'used_after_end', ${monthOf(sql`expires_at`)}, sum(cents) from voucher
    where issued_at < ${from} and expires_at < ${from} and ended_at >= ${from} and ended_at < ${to} group by 2
    order by 1, 2`,
  );

/** Points of lots: left at the end of the month; spent, or removed otherwise, in it. */
interface LotPoints {
  how: "left" | "spent" | "removed";
  points: number;
}
type ByExpiry = LotPoints & { expires: string; tierId: number };
type ByAge = LotPoints & { earned: string };

async function lotPoints<Row extends LotPoints>(queries: Queries, query: SQL): Promise<Row[]> {
  const { rows } = await queries.execute<Record<string, unknown>>(query);
  return rows.map((row) => ({ ...row, points: Number(row["points"]) }) as Row);
}

/**
 * What lots hold now. By expiry and by age in two statements, each grouped by a day before it is a month: PostgreSQL then
 * sums in parallel, and writes few months as text.
 */
const readLotsNow = (queries: Queries) =>
  lotPoints<ByExpiry>(
    queries,
    sql`select 'left' as how, ${monthOf(sql`expires_at`)} as expires, coalesce(tier_id, 0) as "tierId", sum(points) as points
    from (select expires_at, tier_id, sum(remaining) as points from loyalty_lot where remaining > 0 group by 1, 2) lots
    group by 2, 3`,
  );

const readAgesNow = (queries: Queries) =>
  lotPoints<ByAge>(
    queries,
    sql`select 'left' as how, to_char(day, 'YYYY-MM') as earned, sum(points) as points from (
      select club_day(e.at) as day, sum(l.remaining) as points
      from loyalty_lot l join loyalty_entry e on e.customer_id = l.customer_id and e.id = l.entry_id
      where l.remaining > 0 group by 1) days
    group by 2`,
  );

/**
 * What changed lots since the month began, lot by lot, as the functions of the ledger changed them: what was spent or
 * removed in the month, and what has to be taken off the lots of now because it was booked after it.
 */
const readLotChanges = (queries: Queries, from: SQL, to: SQL) =>
  lotPoints<ByExpiry & ByAge>(
    queries,
    sql`
    with moved as (
      select e.customer_id, e.id, e.kind, e.points, e.cause, e.recorded_at >= ${to} as later
      from loyalty_entry e where e.recorded_at >= ${from} and not e.copied and e.points <> 0
        and (e.recorded_at >= ${to} or e.points < 0 or e.kind in ('cancel', 'undo'))
    ), changes as (
      select m.later, 'added' as how, m.customer_id, m.id as lot_id, m.points
      from moved m where m.points > 0 and m.kind not in ('cancel', 'undo')
      union all
      select m.later, case m.kind when 'reward' then 'spent' else 'removed' end, u.customer_id, u.lot_id, -u.points
      from moved m join loyalty_lot_use u on u.customer_id = m.customer_id and u.entry_id = m.id where m.points < 0
      union all
      select m.later, 'removed', m.customer_id, split_part(m.cause, ':', 2)::bigint, m.points
      from moved m where m.kind = 'expiry'
      union all
      select m.later, 'spent', u.customer_id, u.lot_id, u.points from moved m
      join loyalty_voucher_code k on k.code = substr(m.cause, length('cancel:') + 1)
      join loyalty_voucher v on v.customer_id = k.customer_id and v.code = k.code
      join loyalty_lot_use u on u.customer_id = m.customer_id and u.entry_id = v.id where m.kind = 'cancel'
      union all
      select m.later, 'removed', u.customer_id, u.lot_id, u.points from moved m
      join loyalty_entry d on d.customer_id = m.customer_id and d.cause = substr(m.cause, length('undo:') + 1)
      join loyalty_lot_use u on u.customer_id = d.customer_id and u.entry_id = d.id where m.kind = 'undo'
    )
    select case when c.later then 'left' else c.how end as how, ${monthOf(sql`l.expires_at`)} as expires,
      ${monthOf(sql`e.at`)} as earned, coalesce(l.tier_id, 0) as "tierId", -sum(c.points) as points
    from changes c join loyalty_lot l on l.customer_id = c.customer_id and l.entry_id = c.lot_id
    join loyalty_entry e on e.customer_id = c.customer_id and e.id = c.lot_id
    group by 1, 2, 3, 4`,
  );

/** In an order of their own: what is drafted twice is equal when its numbers are. */
function lotsOf(left: ByExpiry[]): MonthBook["lots"] {
  const lots = new Map<string, MonthBook["lots"][number]>();
  for (const { expires, tierId, points } of left) {
    const key = `${expires} ${tierId}`;
    lots.set(key, { expires, tierId, points: points + (lots.get(key)?.points ?? 0) });
  }
  return [...lots.values()]
    .filter(({ points }) => points !== 0)
    .sort((a, b) => monthNumber(a.expires) - monthNumber(b.expires) || a.tierId - b.tierId);
}

const monthNumber = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7));

function agesOf(lots: ByAge[], month: string): AgeRow[] {
  const rows = new Map<number, AgeRow>();
  for (const { how, earned, points } of lots) {
    const age = Math.max(0, monthNumber(month) - monthNumber(earned));
    const row = rows.get(age) ?? { age, exposure: 0, spent: 0, left: 0 };
    row.exposure += points;
    if (how !== "removed") row[how] += points;
    rows.set(age, row);
  }
  return [...rows.values()]
    .filter(({ exposure, spent, left }) => exposure !== 0 || spent !== 0 || left !== 0)
    .sort((a, b) => a.age - b.age);
}
