-- Whether a sale was voided: it then counts nowhere. Called by src/till/day/day.server.ts,
-- src/till/customers/receipts.server.ts, src/till/receipt-email.server.ts, metric_sale, shop_sale_repeats,
-- shop_sale_facts, src/office/campaigns/results/reached.server.ts,
-- src/office/campaigns/price/price.server.ts, the view metric_ledger, src/office/customers/server/record/record.server.ts,
-- src/office/receipts/receipt.server.ts and src/shop/sales/return/void.server.ts.
create or replace function shop_sale_voided(the_shop integer, the_number text) returns boolean
  language sql stable parallel safe
  return exists (
    select from shop_return r
    where r.sale_shop_id = the_shop and r.sale_number = the_number and r.kind = 'void' and r.state = 'applied');
