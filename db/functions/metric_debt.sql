-- Trigger function: debt that was waived. A merge moves debt, which waives nothing. Called by the trigger
-- loyalty_debt_waives on loyalty_debt.
create or replace function metric_debt() returns trigger language plpgsql as $$
begin
  insert into metric_delta (day, metric, part, count, amount)
  select club_day(now()), 'waived', 0, 1, new.waived - old.waived
  where not exists (select from customer_merge m where m.customer_id = new.customer_id);
  return null;
end $$;
