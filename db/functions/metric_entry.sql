-- Trigger function: points that moved, by the club day of the movement. What a merge copies has been counted before.
-- Called by the trigger loyalty_entry_counts on loyalty_entry.
create or replace function metric_entry() returns trigger language plpgsql as $$
declare
  sign integer := case when metric_undone(new.kind, new.cause) then -1 else 1 end;
begin
  insert into metric_delta (day, metric, part, count, amount)
  values (club_day(new.at), metric_of_entry(new.kind, new.points, new.cause), metric_shop(new.kind, new.cause), sign,
    sign * abs(new.points));
  return null;
end $$;
