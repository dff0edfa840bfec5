-- A member bought on a day, and counts as active from it until twelve months later: one more on the first day, one less
-- on the last. A sale that arrives after a later one changes nothing. Called by metric_sale and metric_account.
create or replace function metric_active(the_customer bigint, the_day date) returns void language plpgsql as $$
declare
  known loyalty_activity;
  new_until date := (the_day + interval '12 months')::date;
begin
  perform from loyalty_account a where a.customer_id = the_customer and a.state = 'active';
  if not found then
    return;
  end if;
  select * into known from loyalty_activity a where a.customer_id = the_customer;
  if known.last_day >= the_day then
    return;
  end if;
  insert into loyalty_activity as a (customer_id, last_day, until) values (the_customer, the_day, new_until)
  on conflict (customer_id) do update set last_day = excluded.last_day, until = excluded.until;
  insert into metric_delta (day, metric, part, count, amount)
  values (case when known.until > the_day then known.until else the_day end, 'active', 0, 1, 0),
    (new_until, 'active', 0, -1, 0);
end $$;
