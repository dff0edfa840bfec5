-- The account that a customer's account has become part of, or the customer's own. Called by
-- src/loyalty/referral/referral.server.ts, src/move/stage.server.ts,
-- src/office/customers/server/record/search.server.ts, src/shop/sales/purchase/facts.server.ts, src/shop/sales/return/receipt-proof.server.ts,
-- src/shop/sales/return/undo-return.server.ts,
-- loyalty_reissue and shop_sale_facts.
create or replace function customer_survivor(the_customer bigint) returns bigint
  language sql stable
  return coalesce((select into_id from customer_merge where customer_id = the_customer), the_customer);
