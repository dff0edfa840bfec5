-- Takes away the points that have expired, each lot with an entry of its own, dated when it expired. Returns the points
-- taken. Locks the customer, then the account: this order everywhere prevents deadlocks.
-- Called by src/loyalty/ledger/ledger.server.ts, loyalty_move, loyalty_claw_back, loyalty_forfeit and
-- loyalty_merge.
create or replace function loyalty_expire(the_customer bigint, moment timestamptz) returns integer
language plpgsql as $$
declare
  lot record;
  taken integer := 0;
begin
  perform 1 from customer where id = the_customer for no key update;
  perform 1 from loyalty_account where customer_id = the_customer for update;
  for lot in
    select entry_id, expires_at, remaining from loyalty_lot
    where customer_id = the_customer and remaining > 0 and expires_at <= moment
    order by expires_at, entry_id
  loop
    with account as (
      update loyalty_account set balance = balance - lot.remaining
      where customer_id = the_customer returning balance
    )
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause)
    select the_customer, lot.expires_at, 'expiry', -lot.remaining, balance, 'expiry:' || lot.entry_id from account;
    update loyalty_lot set remaining = 0 where customer_id = the_customer and entry_id = lot.entry_id;
    taken := taken + lot.remaining;
  end loop;
  return taken;
end $$;
