import { sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { salePoints } from "#shop/sales/purchase/credit-sale.server.ts";
import { pointsWait } from "#shop/sales/review/conflicts.server.ts";
import { within } from "./report.server.ts";

interface Row extends Record<string, unknown> {
  at: string;
  time: Date;
  number: string;
  kind: "sale" | "return" | "exchange" | "void";
  cents: number;
  voucherCents: number | null;
  points: number;
  /** For a person's decision. */
  waits: boolean;
}

/** The sales and returns of a shop's day in their order, some at a time: what the report adds up. */
export async function* readDayReceipts(queries: Queries, shopId: number, day: string, pageRows = 500) {
  for (let last: Row | undefined; ; ) {
    const { rows }: { rows: Row[] } = await queries.execute<Row>(sql`
      select at::text as at, at as time, number, kind, cents::integer as cents, "voucherCents"::integer as "voucherCents",
        points, waits
      from (
        select s.sold_at as at, s.number, 'sale' as kind,
          (select sum((line ->> 'paidCents')::integer) from jsonb_array_elements(s.lines) line) as cents,
          (select coalesce(sum((used ->> 'takenCents')::integer), 0) from jsonb_array_elements(s.vouchers) used)
            as "voucherCents",
          ${salePoints} as points, s.in_future or (${pointsWait}) as waits
        from shop_sale s where s.shop_id = ${shopId} and ${within("s.sold_at", day)} and s.former_source is null
        union all
        select r.returned_at, r.number, r.kind, coalesce((
            select sum((refund ->> 'cents')::integer) from jsonb_array_elements(r.refunds) refund), 0), null,
          -r.taken, r.state <> 'applied' and not exists (
            select from shop_decision d where d.shop_id = r.shop_id and d.number = r.number and d.subject = r.kind)
        from shop_return r where r.shop_id = ${shopId} and r.state <> 'undone' and ${within("r.returned_at", day)}
      ) receipts
      where ${last ? sql`(at, number, kind) > (${last.at}::timestamptz, ${last.number}::text, ${last.kind}::text)` : sql`true`}
      order by at, number, kind limit ${pageRows}`);
    yield rows;
    last = rows.at(-1);
    if (!last || rows.length < pageRows) return;
  }
}
