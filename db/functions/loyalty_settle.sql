-- Settles a customer's debt with the points of the balance, the oldest first, as an entry of its own. The caller holds the
-- account's lock. Returns what is still owed. Called by loyalty_credit, loyalty_arrive, loyalty_refill, loyalty_merge
-- and loyalty_undo_claw_back.
create or replace function loyalty_settle(the_customer bigint, the_cause text, moment timestamptz) returns integer
language plpgsql as $$
declare
  owed integer := loyalty_debt_of(the_customer);
  account loyalty_account;
  due integer;
  written bigint;
begin
  if owed = 0 then
    return 0;
  end if;
  select * into account from loyalty_account a where a.customer_id = the_customer;
  due := least(owed, account.balance);
  if due = 0 then
    return owed;
  end if;
  update loyalty_account a set balance = a.balance - due where a.customer_id = the_customer;
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, recorded_at)
  values (the_customer, moment, 'settle', -due, account.balance - due, the_cause, moment)
  returning id into written;
  perform loyalty_take_lots(the_customer, due, written, null);
  with open as (
    select d.id, d.remaining, sum(d.remaining) over (order by d.owed_at, d.id) - d.remaining as before
    from loyalty_debt d where d.customer_id = the_customer and d.remaining > 0
  )
  update loyalty_debt d set remaining = d.remaining - least(open.remaining, due - open.before)
  from open where d.customer_id = the_customer and d.id = open.id and open.before < due;
  return owed - due;
end $$;
