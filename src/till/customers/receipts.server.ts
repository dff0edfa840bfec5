import { sql } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import type { Locale } from "#i18n/locale.ts";
import type { StaffCaller } from "#platform/api/callers.server.ts";
import type { SellingDependencies } from "#shop/sales/selling.server.ts";
import { identifyAtTill } from "./identify.server.ts";

/** Enough for a list on the screen. */
const newest = 8;

interface Row extends Record<string, unknown> {
  shopId: number;
  shop: string;
  number: string;
  soldAt: string;
  cents: number;
  leftCents: number;
}

/** The last receipts of a customer who has lost one: of every shop, for the card that is scanned, which proves them all. */
export async function listReceipts(
  deps: SellingDependencies,
  caller: StaffCaller,
  CardNumber: string,
  context: { now: Date; locale: Locale },
) {
  const found = await identifyAtTill(deps, caller, { CardNumber, EntryMode: "scanned" }, context);
  const [member] = found.Customers;
  const customerId = member && (await deps.tokens.open(member.CustomerToken, caller.shopId, context.now));
  const { rows } = await deps.database.execute<Row>(sql`
    select s.shop_id as "shopId", shop.name as shop, s.number, to_json(s.sold_at) #>> '{}' as "soldAt", paid.cents,
      paid.cents - (
        select coalesce(sum((refund ->> 'cents')::integer), 0) from shop_return r
        cross join jsonb_array_elements(r.refunds) refund
        where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied')::integer as "leftCents"
    from shop_sale s join shop on shop.id = s.shop_id
    cross join lateral (
      select sum((line ->> 'paidCents')::integer)::integer as cents from jsonb_array_elements(s.lines) line) paid
    where s.customer_id = ${customerId ?? 0} and not shop_sale_voided(s.shop_id, s.number)
    order by s.sold_at desc, s.number desc limit ${newest}`);
  return {
    Name: member?.Name ?? "",
    Receipts: rows.map((row) => ({
      IdShop: row.shopId,
      ShopName: row.shop,
      ReceiptNumber: row.number,
      SoldAt: new Date(row.soldAt).toISOString(),
      Paid: amountOf(row.cents),
      Left: amountOf(row.leftCents),
    })),
  };
}
