import { sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";

/** What shops know of a customer: who registered them, receipts and what was returned of them, vouchers used, and who looked the customer up. */
export async function exportOfShops(queries: Queries, customerId: number): Promise<object> {
  const { rows } = await queries.execute<{ shops: object }>(sql`
    select json_build_object(
      'registration', (
        select json_build_object('shop', shop_name, 'at', registered_at)
        from shop_registration where customer_id = ${customerId}),
      'sales', (
        select coalesce(json_agg(json_build_object(
          'shop', shop.name, 'city', shop.city, 'receipt', sale.number, 'soldAt', sale.sold_at, 'lines', sale.lines,
          'vouchers', sale.vouchers, 'earned', sale.earned, 'waiting', sale.waiting, 'claimedAt', sale.claimed_at)
          order by sale.sold_at), '[]')
        from shop_sale sale join shop on shop.id = sale.shop_id where sale.customer_id = ${customerId}),
      'returns', (
        select coalesce(json_agg(json_build_object(
          'receipt', back.number, 'kind', back.kind, 'returnedAt', back.returned_at, 'ofReceipt', back.sale_number,
          'refunds', back.refunds, 'taken', back.taken, 'reissued', back.reissued) order by back.returned_at), '[]')
        from shop_return back
        join shop_sale sale on sale.shop_id = back.sale_shop_id and sale.number = back.sale_number
        where sale.customer_id = ${customerId}),
      'vouchersUsed', (
        select coalesce(json_agg(json_build_object(
          'code', code, 'usedAt', used_at, 'receipt', receipt_number, 'takenCents', taken_cents) order by used_at), '[]')
        from loyalty_voucher_use where customer_id = ${customerId}),
      'lookUps', (
        select coalesce(json_agg(json_build_object(
          'at', look.at, 'shop', shop.name, 'till', shop_key.name, 'by', look.found_by, 'entryMode', look.entry_mode)
          order by look.id), '[]')
        from shop_look_up look
        join shop on shop.id = look.shop_id
        left join shop_key on shop_key.prefix = look.key_prefix
        where look.customer_id = ${customerId})) as shops`);
  return rows[0]?.shops ?? {};
}

/** Whether the customer bought something, with points or without: a visit, which keeps the account. */
export async function hasBoughtSince(queries: Queries, customerId: number, since: Date): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    select from shop_sale where customer_id = ${customerId} and sold_at > ${since.toISOString()}::timestamptz limit 1`);
  return (rowCount ?? 0) > 0;
}
