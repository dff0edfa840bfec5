-- The points that a customer owes. Called by src/loyalty/ledger/ledger.server.ts,
-- src/loyalty/ledger/loyalty-customer.server.ts, src/loyalty/ledger/warnings/warnings.server.ts, src/shop/keys/identify-query.server.ts,
-- src/shop/sales/voucher/holds.server.ts, loyalty_credit, loyalty_settle, loyalty_obtain, loyalty_reissue, loyalty_claw_back,
-- loyalty_cancel_released, loyalty_merge and shop_member_at.
create or replace function loyalty_debt_of(the_customer bigint) returns integer
  language plpgsql stable as $$
begin
  return coalesce((
    select sum(remaining) from loyalty_debt where customer_id = the_customer and remaining > 0), 0)::integer;
end $$;
