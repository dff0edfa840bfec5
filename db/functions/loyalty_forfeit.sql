-- The points of a customer who is erased: they can no longer be spent, so the club no longer owes them. One entry takes
-- what is left; pending points will not arrive. Called by src/loyalty/ledger/ledger.server.ts.
create or replace function loyalty_forfeit(the_customer bigint, moment timestamptz) returns integer
language plpgsql as $$
declare
  forfeited integer := loyalty_refresh(the_customer, moment);
  written bigint;
begin
  update loyalty_pending set arrived_at = loyalty_booked_at(moment), counts = 0, forfeited = true
  where customer_id = the_customer and arrived_at is null;
  if coalesce(forfeited, 0) = 0 then
    return 0;
  end if;
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, recorded_at)
  values (the_customer, moment, 'adjust', -forfeited, 0, 'erased', moment) returning id into written;
  perform loyalty_take_lots(the_customer, forfeited, written, null);
  update loyalty_account set balance = 0 where customer_id = the_customer;
  return forfeited;
end $$;
