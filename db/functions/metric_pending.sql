-- Trigger function: pending points, by the day on which they arrive. Called by the triggers loyalty_pending_counts,
-- loyalty_pending_moves and loyalty_pending_ends on loyalty_pending.
create or replace function metric_pending() returns trigger language plpgsql as $$
declare
  before integer := case when tg_op <> 'INSERT' and old.arrived_at is null then old.remaining else 0 end;
  after integer := case when tg_op <> 'DELETE' and new.arrived_at is null then new.remaining else 0 end;
begin
  insert into metric_delta (day, metric, part, count, amount)
  select club_day(coalesce(new.arrives_at, old.arrives_at)), 'pending', 0, 0, after - before where after <> before;
  return null;
end $$;
