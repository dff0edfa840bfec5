import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { shortName } from "#identity/customer/names.server.ts";
import { type ActionContext, entryOf } from "#office/audit.server.ts";
import { findShop } from "#office/shops/own-shop.server.ts";
import { isoMoment } from "#platform/api/reads.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { salePoints } from "#shop/sales/purchase/credit-sale.server.ts";
import { within } from "#shop/sales/report/report.server.ts";
import { pointsWait } from "#shop/sales/review/conflicts.server.ts";
import { writeAudit } from "#staff/audit.server.ts";
import { readDayCounts } from "#till/day/day-count.server.ts";
import { amountText, sumOf } from "./amounts.server.ts";
import { missingNumbers } from "./missing-numbers.ts";

/** More receipts than a shop has in a day. */
const mostRows = 3_000;

interface Row extends Record<string, unknown> {
  at: string;
  number: string;
  kind: "sale" | "return" | "exchange";
  original: string | null;
  originalShop: number | null;
  till: string;
  seller: string | null;
  firstname: string | null;
  lastname: string | null;
  campaign: Record<Locale, string> | null;
  cents: number;
  points: number;
  waits: boolean;
  voidedAt: string | null;
  vouchers: number;
  voucherCents: number;
}

/** The receipts of a shop's day, the newest first, with their totals. A voided sale is listed and counts nowhere. */
export async function listReceipts(
  database: Database,
  { IdShop: shopId, Day: day }: { IdShop: number; Day: string },
  { caller, now, requestId, locale }: ActionContext & { locale: Locale },
) {
  await findShop(database, caller, shopId);
  const rows = await readRows(database, shopId, day);
  // It names customers.
  const after = { ofShop: shopId, rows: rows.length };
  await writeAudit(database, entryOf(caller, { action: "receipts_listed", after, requestId, at: now }));
  const counted = rows.filter(({ voidedAt }) => voidedAt === null);
  const sales = counted.filter(({ kind }) => kind === "sale");
  return {
    Day: day,
    Receipts: rows.map((row) => describeRow(row, locale)),
    Total: {
      ...sumsOf(rows),
      Returned: amountText(-sumOf(counted, ({ kind, cents }) => (kind === "sale" ? 0 : cents))),
      Voided: amountText(sumOf(rows, ({ kind, voidedAt, cents }) => (voidedAt && kind === "sale" ? cents : 0))),
      WithCard: sales.filter(({ firstname }) => firstname !== null).length,
      Points: sumOf(counted, ({ points }) => points),
      Vouchers: {
        Count: sumOf(sales, ({ vouchers }) => vouchers),
        Amount: amountText(sumOf(sales, ({ voucherCents }) => voucherCents)),
      },
    },
    Tills: groups(rows, ({ till }) => till).map(([Name, of]) => ({ Name, ...sumsOf(of) })),
    Sellers: groups(rows, ({ seller }) => seller).map(([Name, of]) => ({ Name, ...sumsOf(of) })),
    Counts: await readDayCounts(database, shopId, day),
    Missing: await readMissing(database, shopId, rows),
  };
}

async function readRows(queries: Queries, shopId: number, day: string): Promise<Row[]> {
  const { rows } = await queries.execute<Row>(sql`
    select to_json(at) #>> '{}' as at, number, kind, original, "originalShop", till, seller, firstname, lastname,
      campaign, cents::integer as cents, points, waits, to_json("voidedAt") #>> '{}' as "voidedAt",
      vouchers::integer as vouchers, "voucherCents"::integer as "voucherCents"
    from (
      select s.sold_at as at, s.number, 'sale' as kind, null as original, null::integer as "originalShop", s.key_prefix,
        s.staff_id, s.customer_id, s.campaign_id,
        (select sum((line ->> 'paidCents')::integer) from jsonb_array_elements(s.lines) line) as cents,
        ${salePoints} as points, s.in_future or (${pointsWait}) as waits, (
          select v.returned_at from shop_return v where v.sale_shop_id = s.shop_id and v.sale_number = s.number
            and v.kind = 'void' and v.state = 'applied' limit 1) as "voidedAt",
        jsonb_array_length(s.vouchers) as vouchers,
        (select coalesce(sum((used ->> 'takenCents')::integer), 0) from jsonb_array_elements(s.vouchers) used)
          as "voucherCents"
      from shop_sale s where s.shop_id = ${shopId} and ${within("s.sold_at", day)} and s.former_source is null
      union all
      select r.returned_at, r.number, r.kind, r.sale_number, r.sale_shop_id, r.key_prefix, r.staff_id, s.customer_id,
        null, coalesce(-(select sum((refund ->> 'cents')::integer) from jsonb_array_elements(r.refunds) refund), 0),
        -r.taken, r.state in ('waiting', 'conflict'), r.undone_at, 0, 0
      from shop_return r
      left join shop_sale s on s.shop_id = r.sale_shop_id and s.number = r.sale_number
      where r.shop_id = ${shopId} and r.kind <> 'void' and ${within("r.returned_at", day)}
    ) receipts
    join lateral (select k.name as till from shop_key k where k.prefix = receipts.key_prefix) key on true
    left join lateral (
      select p.firstname || ' ' || p.lastname as seller from staff p where p.id = receipts.staff_id) person on true
    left join lateral (
      select c.firstname, c.lastname from customer c where c.id = receipts.customer_id) customer on true
    left join lateral (select g.name as campaign from campaign g where g.id = receipts.campaign_id) campaign on true
    order by receipts.at desc, number desc limit ${mostRows}`);
  return rows;
}

const describeRow = (row: Row, locale: Locale) => ({
  At: isoMoment(row.at),
  ReceiptNumber: row.number,
  Kind: row.kind,
  OriginalReceiptNumber: row.original,
  OriginalIdShop: row.originalShop,
  TillName: row.till,
  Seller: row.seller,
  Customer: row.firstname === null ? null : shortName(row.firstname, row.lastname ?? ""),
  CampaignName: row.campaign?.[locale] ?? null,
  Amount: amountText(row.cents),
  Points: row.points,
  Waiting: row.waits,
  VoidedAt: row.voidedAt && isoMoment(row.voidedAt),
});

function sumsOf(rows: readonly Row[]) {
  const counted = rows.filter(({ voidedAt }) => voidedAt === null);
  const sales = counted.filter(({ kind }) => kind === "sale").length;
  return {
    Sales: sales,
    Returns: counted.length - sales,
    Voids: rows.length - counted.length,
    Net: amountText(sumOf(counted, ({ cents }) => cents)),
  };
}

function groups<Key extends string | null>(rows: readonly Row[], keyOf: (row: Row) => Key): [Key, Row[]][] {
  const found = new Map<Key, Row[]>();
  for (const row of rows) found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row]);
  return [...found].sort(([a], [b]) => (a ?? "").localeCompare(b ?? ""));
}

/** Numbers between the first and the last of a till's day that no receipt of the shop has, of whatever day. */
async function readMissing(queries: Queries, shopId: number, rows: readonly Row[]): Promise<string[]> {
  const missing = missingNumbers(rows.map(({ number }) => number));
  if (missing.length === 0) return [];
  const known = await queries.execute<{ number: string }>(sql`
    select number from shop_receipt where shop_id = ${shopId} and number in ${missing}`);
  const arrived = new Set(known.rows.map(({ number }) => number));
  return missing.filter((number) => !arrived.has(number)).slice(0, 20);
}
