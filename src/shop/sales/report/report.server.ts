import { sql } from "drizzle-orm";
import { amountOf, centsOf } from "#brand/amounts.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { salePoints } from "#shop/sales/purchase/credit-sale.server.ts";
import { readConflicts } from "#shop/sales/review/conflicts.server.ts";
import type { LostVoucher } from "#shop/sales/sales.tables.server.ts";

interface Totals {
  sales: number;
  cents: number;
  returns: number;
  returnCents: number;
  earned: number;
  taken: number;
  vouchers: number;
  voucherCents: number;
}

/** The moments of a day of the club, written so that an index on the column is used. */
export const within = (column: string, day: string) =>
  sql`${sql.raw(column)} >= club_day_start(${day}::date)
    and ${sql.raw(column)} < club_day_start(${day}::date + 1)`;

async function totalsOf(queries: Queries, shopId: number, day: string): Promise<Totals> {
  const { rows } = await queries.execute<Record<keyof Totals, string>>(sql`
    select s.*, r.* from (
      select count(*) as sales,
        coalesce(sum((select sum((line ->> 'paidCents')::integer) from jsonb_array_elements(s.lines) line)), 0) as cents,
        coalesce(sum(${salePoints}), 0) as earned,
        coalesce(sum(jsonb_array_length(s.vouchers)), 0) as vouchers,
        coalesce(sum((select sum((used ->> 'takenCents')::integer) from jsonb_array_elements(s.vouchers) used)), 0)
          as "voucherCents"
      from shop_sale s where s.shop_id = ${shopId} and ${within("s.sold_at", day)} and s.former_source is null
    ) s, (
      select count(*) as returns, coalesce(sum(taken), 0) as taken,
        coalesce(sum((select sum((refund ->> 'cents')::integer) from jsonb_array_elements(refunds) refund)), 0)
          as "returnCents"
      from shop_return where shop_id = ${shopId} and state = 'applied' and ${within("returned_at", day)}
    ) r`);
  const [row] = rows;
  if (!row) throw new Error("The totals returned no row.");
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as unknown as Totals;
}

/** A shop's day, with what needs a person. */
export async function readReport(queries: Queries, shopId: number, day: string) {
  const totals = await totalsOf(queries, shopId, day);
  const conflicts = await readConflicts(queries, { shopId, within: (column) => within(column, day) });
  const late = await readLate(queries, shopId, day);
  return {
    Day: day,
    Sales: { Count: totals.sales, Amount: amountOf(totals.cents) },
    Returns: { Count: totals.returns, Amount: amountOf(totals.returnCents) },
    Points: { Earned: totals.earned, Taken: totals.taken },
    Vouchers: { Count: totals.vouchers, Amount: amountOf(totals.voucherCents) },
    Conflicts: conflicts
      .map(({ number, reason, original }) => ({
        ReceiptNumber: number,
        Reason: reason,
        OriginalReceiptNumber: original,
      }))
      .sort((a, b) => (a.ReceiptNumber < b.ReceiptNumber ? -1 : 1)),
    LostVouchers: await readLost(queries, shopId, day),
    ArrivedAfterClose: late.flatMap(({ number, kind }) => (kind === "sale" ? [number] : [])),
    ReturnsAfterClose: late.flatMap(({ number, kind }) =>
      kind === "sale" ? [] : [{ ReceiptNumber: number, Kind: kind }],
    ),
  };
}

/** Vouchers that were lost before their sale arrived: the shop has borne what they took off. */
async function readLost(queries: Queries, shopId: number, day: string) {
  const { rows } = await queries.execute<{ number: string; lost: LostVoucher }>(sql`
    select s.number, lost from shop_sale s cross join jsonb_array_elements(s.lost_vouchers) lost
    where s.shop_id = ${shopId} and ${within("s.sold_at", day)} order by s.number`);
  return rows.map(({ number, lost }) => ({
    ReceiptNumber: number,
    Taken: amountOf(lost.takenCents),
    Reason: lost.reason,
  }));
}

type Late = { number: string; kind: "sale" | "return" | "exchange" | "void" | "amend" };

/**
 * What changed the totals of a day after it was closed. A return counts from when it took effect: when it and its sale had
 * arrived, or a person decided. A void has no receipt of its own.
 */
async function readLate(queries: Queries, shopId: number, day: string) {
  const { rows } = await queries.execute<Late>(sql`
    select late.number, late.kind from shop_day_close c cross join lateral (
      select s.number, 'sale' as kind from shop_sale s
      join shop_receipt own on own.shop_id = s.shop_id and own.number = s.number
      where s.shop_id = c.shop_id and ${within("s.sold_at", day)} and own.arrived_at > c.closed_at and s.former_source is null
      union all
      select r.number, r.kind from shop_return r
      join shop_receipt own on own.shop_id = r.shop_id and own.number = r.number
      join shop_receipt sold on sold.shop_id = r.sale_shop_id and sold.number = r.sale_number
      left join shop_decision d on d.shop_id = r.shop_id and d.number = r.number and d.subject = r.kind
      where r.shop_id = c.shop_id and r.state = 'applied' and ${within("r.returned_at", day)}
        and greatest(own.arrived_at, sold.arrived_at, d.decided_at, case r.kind when 'void' then r.returned_at end)
          > c.closed_at
    ) late
    where c.shop_id = ${shopId} and c.day = ${day}::date order by late.number, late.kind`);
  return rows;
}

/** The till's own totals of a day. */
export interface TillTotals {
  Day: string;
  Count: string;
  Amount: string;
  VoucherAmount: string;
  ReturnCount?: string | undefined;
  ReturnAmount?: string | undefined;
}

/** Compares the till's totals with ours, and keeps them: what arrives later is listed in the report. */
export async function closeDay(queries: Queries, shopId: number, till: TillTotals, now: Date) {
  const ours = await totalsOf(queries, shopId, till.Day);
  const { Day, ...given } = till;
  await queries.execute(sql`
    insert into shop_day_close (shop_id, day, closed_at, totals)
    values (${shopId}, ${Day}::date, ${now.toISOString()}::timestamptz, ${JSON.stringify(given)}::jsonb)
    on conflict (shop_id, day) do update set closed_at = excluded.closed_at, totals = excluded.totals`);
  return { Differences: differencesOf(given, ours) };
}

/** The till's own totals of a day, as they were kept when it was closed, against ours as they are now. */
export async function readClose(queries: Queries, shopId: number, day: string) {
  const { rows } = await queries.execute<{ closed_at: Date; totals: Omit<TillTotals, "Day"> }>(
    sql`select closed_at, totals from shop_day_close where shop_id = ${shopId} and day = ${day}::date`,
  );
  const [close] = rows;
  if (!close) return null;
  const ours = await totalsOf(queries, shopId, day);
  return { ClosedAt: new Date(close.closed_at).toISOString(), Differences: differencesOf(close.totals, ours) };
}

/** Only what the till said and we see otherwise. */
function differencesOf(till: Omit<TillTotals, "Day">, ours: Totals) {
  const plain = (amount: string) => amountOf(centsOf(amount));
  const compared: [total: string, till: string | undefined, cercle: string][] = [
    ["Count", String(Number(till.Count)), String(ours.sales)],
    ["Amount", plain(till.Amount), amountOf(ours.cents)],
    ["VoucherAmount", plain(till.VoucherAmount), amountOf(ours.voucherCents)],
    [
      "ReturnCount",
      till.ReturnCount === undefined ? undefined : String(Number(till.ReturnCount)),
      String(ours.returns),
    ],
    [
      "ReturnAmount",
      till.ReturnAmount === undefined ? undefined : plain(till.ReturnAmount),
      amountOf(ours.returnCents),
    ],
  ];
  return compared.flatMap(([Total, Till, Cercle]) =>
    Till === undefined || Till === Cercle ? [] : [{ Total, Till, Cercle }],
  );
}
