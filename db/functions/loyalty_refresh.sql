-- Writes down what the clock has brought to an account: pending points that have arrived, points that have expired, and
-- vouchers to cancel whose hold has ended. It locks the customer, then the account, in statements of their own: this order
-- everywhere prevents deadlocks. Returns the balance; null where there is no account. Called by loyalty_move,
-- loyalty_obtain, loyalty_claw_back, loyalty_undo_claw_back, loyalty_forfeit, loyalty_merge, shop_sale_facts
-- and src/loyalty/ledger/ledger.server.ts.
create or replace function loyalty_refresh(the_customer bigint, moment timestamptz) returns integer
language plpgsql as $$
begin
  perform 1 from customer where id = the_customer for no key update;
  perform 1 from loyalty_account where customer_id = the_customer for update;
  perform loyalty_arrive(the_customer, moment);
  perform loyalty_expire(the_customer, moment);
  perform loyalty_cancel_released(the_customer, moment);
  return (select a.balance from loyalty_account a where a.customer_id = the_customer);
end $$;
