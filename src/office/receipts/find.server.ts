import { sql } from "drizzle-orm";
import { claimCode } from "#loyalty/card/code-alphabet.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { isoMoment } from "#platform/api/reads.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { amountText } from "./amounts.server.ts";

/** Sales by the number of a receipt, in every shop, or by the code that is printed on it. */
export async function findReceipts(database: Database, { shopId: own }: OfficeCaller, text: string) {
  const plain = text.replace(/[\s.-]/g, "").toUpperCase();
  // By shop, so that the receipt's own key finds it.
  const { rows } = await database.execute<{ id: number; name: string; number: string; at: string; cents: number }>(sql`
    select shop.id, shop.name, s.number, to_json(s.sold_at) #>> '{}' as at, (
      select sum((line ->> 'paidCents')::integer) from jsonb_array_elements(s.lines) line)::integer as cents
    from shop join shop_sale s on s.shop_id = shop.id
      and ${claimCode.test(plain) ? sql`s.claim_code = ${plain}` : sql`s.number in (${text}, upper(${text}))`}
    where ${own === null ? sql`true` : sql`shop.id = ${own}`}
    order by s.sold_at desc limit 20`);
  return {
    Receipts: rows.map(({ id, name, number, at, cents }) => ({
      ...{ IdShop: id, ShopName: name, ReceiptNumber: number, SoldAt: isoMoment(at), Amount: amountText(cents) },
    })),
  };
}
