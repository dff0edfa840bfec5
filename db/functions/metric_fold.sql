-- Adds what has been written since to the summary, and returns how many rows that was. One at a time: a second would wait
-- for rows that are gone by then. Called by src/loyalty/ledger/metrics/metrics.server.ts.
create or replace function metric_fold() returns integer language plpgsql as $$
declare
  folded integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('metric_fold', 40)) then
    return 0;
  end if;
  with taken as (
    delete from metric_delta returning day, metric, part, count, amount
  ), summed as (
    insert into metric_day as d (day, metric, part, count, amount)
    select day, metric, part, sum(count), sum(amount) from taken group by day, metric, part
    on conflict (metric, day, part) do update set count = d.count + excluded.count, amount = d.amount + excluded.amount
  )
  select count(*) into folded from taken;
  return folded;
end $$;
