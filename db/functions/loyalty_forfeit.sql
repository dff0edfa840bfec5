-- The points of a customer who is erased: nobody can spend them any more, so the club no longer owes them. One entry takes
-- what is left. Called by src/loyalty/ledger/ledger.server.ts.
create or replace function loyalty_forfeit(the_customer bigint, moment timestamptz) returns integer
language plpgsql as $$
declare
  account loyalty_account;
begin
  perform 1 from customer where id = the_customer for no key update;
  perform loyalty_expire(the_customer, moment);
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.balance = 0 then
    return 0;
  end if;
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause)
  values (the_customer, moment, 'adjust', -account.balance, 0, 'erased');
  update loyalty_lot set remaining = 0 where customer_id = the_customer and remaining > 0;
  update loyalty_account set balance = 0 where customer_id = the_customer;
  return account.balance;
end $$;
