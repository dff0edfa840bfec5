-- Trigger function: points outstanding, by the month in which they lapse and the tier in which they were earned: that of
-- their day, without them, which is written with the lot. It runs before the day's points are added.
-- Called by the triggers loyalty_lot_counts and loyalty_lot_changes on loyalty_lot.
create or replace function metric_lot() returns trigger language plpgsql as $$
declare
  change integer := new.remaining - case when tg_op = 'UPDATE' then old.remaining else 0 end;
begin
  if tg_op = 'INSERT' then
    select t.id into new.tier_id from loyalty_entry e
    join loyalty_account a on a.customer_id = e.customer_id
    cross join lateral loyalty_programme_at(a.programme_id, e.at) p
    cross join lateral loyalty_tier_for(
      p.id, loyalty_status_points(e.customer_id, p.id, p.tier_months, club_day(e.at))) t
    where e.customer_id = new.customer_id and e.id = new.entry_id;
  end if;
  if change <> 0 then
    insert into metric_delta (day, metric, part, count, amount)
    values (date_trunc('month', club_day(new.expires_at)::timestamp)::date, 'outstanding', coalesce(new.tier_id, 0), 0, change);
  end if;
  return new;
end $$;
