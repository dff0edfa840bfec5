import { type SQL, sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { frozenRule, linesLeft, type PricedLine, pointsOf } from "#shop/sales/purchase/basket.server.ts";
import { amountsByLine } from "#shop/sales/return/take-back.server.ts";
import type { Asked, Refund } from "#shop/sales/sales.tables.server.ts";

/** Why a receipt waits for a person. */
export const conflictReasons = [
  "return_does_not_fit",
  "return_without_sale",
  "points_waiting",
  "points_new_staff",
  "clock_in_future",
] as const;

interface Row extends Record<string, unknown> {
  shopId: number;
  number: string;
  subject: "return" | "exchange" | "points" | "clock";
  reason: (typeof conflictReasons)[number];
  /** As PostgreSQL writes it: to the microsecond, for the next page. */
  at: string;
  time: Date;
  originalShopId: number | null;
  original: string | null;
  asked: Asked | null;
  customerId: number | null;
  lines: PricedLine[] | null;
  pointsPerEuro: number | null;
  multiplierHundredths: number | null;
  campaignId: number | null;
  campaignMultiplierHundredths: number | null;
  campaignExtraPoints: number | null;
  campaignMinimumCents: number | null;
  campaignCapPoints: number | null;
  campaignLines: string[] | null;
  returned: Refund[];
}

/** Where a page of conflicts ends. */
export interface ConflictPlace {
  at: string;
  shopId: number;
  number: string;
  subject: string;
}

const undecided = (receipt: string, subject: SQL) => sql`not exists (
  select from shop_decision d where d.shop_id = ${sql.raw(receipt)}.shop_id and d.number = ${sql.raw(receipt)}.number
    and d.subject = ${subject})`;

/**
 * Of `shop_sale s`: its points wait for a person. Once everything that earns was given back, as after a void, there is
 * nothing left to decide.
 */
export const pointsWait = sql`s.waiting and ${undecided("s", sql`'points'`)} and exists (
  select from jsonb_array_elements(s.lines) line
  where (line ->> 'earns')::boolean and (line ->> 'paidCents')::integer > coalesce((
    select sum((refund ->> 'cents')::integer) from shop_return back cross join jsonb_array_elements(back.refunds) refund
    where back.sale_shop_id = s.shop_id and back.sale_number = s.number and back.state = 'applied'
      and refund ->> 'line' = line ->> 'line'), 0))`;

/** The receipts that wait, by what is to be decided, as conditions on `shop_return r` and on `shop_sale s`. */
function waiting({ shopId, within }: { shopId?: number | undefined; within?: ((column: string) => SQL) | undefined }) {
  const chosen = (receipt: string, column: string) =>
    sql`${shopId === undefined ? sql`true` : sql`${sql.raw(receipt)}.shop_id = ${shopId}`}
      and ${within ? within(column) : sql`true`}`;
  return {
    returns: sql`r.state in ('waiting', 'conflict') and ${chosen("r", "r.returned_at")} and ${undecided("r", sql`r.kind`)}`,
    points: sql`${chosen("s", "s.sold_at")} and ${pointsWait}`,
    clock: sql`s.in_future and ${chosen("s", "s.sold_at")} and ${undecided("s", sql`'clock'`)}`,
  };
}

/** The receipts that wait, with their shop, what is to be decided and since when; of every shop or of one. */
export function conflictRows(shopId?: number): SQL {
  const { returns, points, clock } = waiting({ shopId });
  return sql`select r.shop_id, 'return' as kind, r.returned_at as at from shop_return r where ${returns}
    union all select s.shop_id, 'review', s.sold_at from shop_sale s where ${points}
    union all select s.shop_id, 'clock', s.sold_at from shop_sale s where ${clock}`;
}

/** How many receipts wait in each shop, or in one. A shop where none does is not in it. */
export async function countConflicts(queries: Queries, shopId?: number): Promise<Map<number, number>> {
  const { rows } = await queries.execute<{ shop_id: number; waiting: number }>(sql`
    select shop_id, count(*)::integer as waiting from (${conflictRows(shopId)}) c group by shop_id`);
  return new Map(rows.map((row) => [row.shop_id, row.waiting]));
}

/** Receipts that wait for a person, the newest first: of every shop, or of one; of a day; after the page before. */
export async function readConflicts(
  queries: Queries,
  asked: {
    shopId?: number | undefined;
    within?: (column: string) => SQL;
    after?: ConflictPlace | undefined;
    limit?: number;
  },
) {
  const { after, limit } = asked;
  const { returns, points, clock } = waiting(asked);
  const ofSale = sql`null::integer as "originalShopId", null as original, null::jsonb as asked, s.customer_id, s.lines,
    s.points_per_euro, s.multiplier_hundredths, s.campaign_id, s.campaign_multiplier_hundredths, s.campaign_extra_points,
    s.campaign_minimum_cents, s.campaign_cap_points, s.campaign_lines`;
  const { rows } = await queries.execute<Row>(sql`
    select c.shop_id as "shopId", c.number, c.subject, c.reason, c.at::text as at, c.at as time, c."originalShopId",
      c.original, c.asked, c.customer_id::float8 as "customerId", c.lines, c.points_per_euro as "pointsPerEuro",
      c.multiplier_hundredths as "multiplierHundredths", c.campaign_id as "campaignId",
      c.campaign_multiplier_hundredths as "campaignMultiplierHundredths",
      c.campaign_extra_points as "campaignExtraPoints", c.campaign_minimum_cents as "campaignMinimumCents",
      c.campaign_cap_points as "campaignCapPoints", c.campaign_lines as "campaignLines", coalesce((
        select jsonb_agg(refund) from shop_return r cross join jsonb_array_elements(r.refunds) refund
        where r.sale_shop_id = coalesce(c."originalShopId", c.shop_id) and r.sale_number = coalesce(c.original, c.number)
          and r.state = 'applied'), '[]') as returned
    from (
      select r.shop_id, r.number, r.kind as subject, r.returned_at as at,
        case when s.number is null then 'return_without_sale' else 'return_does_not_fit' end as reason,
        r.sale_shop_id as "originalShopId", r.sale_number as original, r.asked, s.customer_id, s.lines, s.points_per_euro,
        s.multiplier_hundredths, s.campaign_id, s.campaign_multiplier_hundredths, s.campaign_extra_points,
        s.campaign_minimum_cents, s.campaign_cap_points, s.campaign_lines
      from shop_return r
      left join shop_sale s on s.shop_id = r.sale_shop_id and s.number = r.sale_number
      where ${returns}
      union all
      select s.shop_id, s.number, 'points', s.sold_at,
        case when staff_new_sale(s.staff_id, s.customer_id, s.sold_at) then 'points_new_staff' else 'points_waiting' end,
        ${ofSale}
      from shop_sale s where ${points}
      union all
      select s.shop_id, s.number, 'clock', s.sold_at, 'clock_in_future', ${ofSale} from shop_sale s where ${clock}
    ) c
    where ${
      after
        ? sql`(c.at, c.shop_id, c.number, c.subject)
          < (${after.at}::timestamptz, ${after.shopId}::integer, ${after.number}::text, ${after.subject}::text)`
        : sql`true`
    }
    order by c.at desc, c.shop_id desc, c.number desc, c.subject desc
    limit ${limit ?? null}`);
  return rows.map((row) => ({ ...row, cents: askedCentsOf(row) ?? soldCentsOf(row), points: pointsLeft(row) }));
}

/** What a return asks for in money, where it says so: of whole lines, what is left of them. */
function askedCentsOf({ asked, lines, returned }: Row): number | null {
  if (!asked) return null;
  if ("cents" in asked) return asked.cents;
  const left = new Map(linesLeft(lines ?? [], amountsByLine(returned)).map((one) => [one.line, one.paidCents]));
  const wanted = "lines" in asked ? asked.lines.map(({ line, cents }) => cents ?? left.get(line)) : [...left.values()];
  if (!lines && (wanted.length === 0 || wanted.some((cents) => cents === undefined))) return null;
  return wanted.reduce<number>((sum, cents) => sum + (cents ?? 0), 0);
}

/** What was paid when it was sold, where the sale itself waits. */
function soldCentsOf({ asked, lines }: Row): number | null {
  return asked ? null : (lines ?? []).reduce((sum, { paidCents }) => sum + paidCents, 0);
}

/** The points of what is left of the sale, by its frozen rule. */
function pointsLeft({ lines, returned, ...sale }: Row): number | null {
  const rule = frozenRule(sale);
  return lines && rule && pointsOf(linesLeft(lines, amountsByLine(returned)), rule);
}
