-- Takes away the points that have expired (loyalty_add sets when they do), each lot with an entry of its own, dated when it expired, and booked
-- then too unless the account has moved since. A lot that a cancelled
-- voucher refilled may expire a second time. The caller holds the account's lock. Called by loyalty_refresh and
-- loyalty_refill.
create or replace function loyalty_expire(the_customer bigint, moment timestamptz) returns integer
language plpgsql as $$
declare
  lot record;
  taken integer := 0;
  again bigint;
  moved_at timestamptz;
begin
  select e.recorded_at into moved_at from loyalty_entry e where e.customer_id = the_customer order by e.id desc limit 1;
  for lot in
    select entry_id, expires_at, remaining from loyalty_lot
    where customer_id = the_customer and remaining > 0 and expires_at <= moment
    order by expires_at, entry_id
  loop
    select count(*) into again from loyalty_entry e
    where e.customer_id = the_customer and e.kind = 'expiry'
      and (e.cause = 'expiry:' || lot.entry_id or e.cause like 'expiry:' || lot.entry_id || ':%');
    with account as (
      update loyalty_account set balance = balance - lot.remaining
      where customer_id = the_customer returning balance
    )
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, recorded_at)
    select the_customer, lot.expires_at, 'expiry', -lot.remaining, balance,
      'expiry:' || lot.entry_id || case when again > 0 then ':' || again else '' end,
      greatest(lot.expires_at, moved_at) from account;
    update loyalty_lot set remaining = 0 where customer_id = the_customer and entry_id = lot.entry_id;
    taken := taken + lot.remaining;
  end loop;
  return taken;
end $$;
