-- A customer's status on a day by a version of the programme, for points earned that are known (db/functions/loyalty_earned.sql):
-- the tier, the last day it is held if nothing more is earned, and the points that keep it beyond that day. The lowest is held
-- for good. A promised status is held until its promised end (db/functions/loyalty_kept_status.sql).
-- Called by loyalty_status and src/loyalty/ledger/loyalty-customer.server.ts.
create or replace function loyalty_status_for(
  the_customer bigint, the_version integer, the_months integer, today date, earned integer
) returns table (tier_id integer, until date, missing integer) language plpgsql stable rows 1 as $$
#variable_conflict use_column
declare
  points integer := earned;
  required integer;
  kept_points integer;
  kept_until date;
  total integer;
begin
  if loyalty_may_be_promised(the_customer, today) then
    select k.points_required, k.until into kept_points, kept_until
    from loyalty_kept_status(the_customer, the_version, today) k;
    points := greatest(earned, kept_points);
  end if;
  select t.id, t.points_required into tier_id, required from loyalty_tier_for(the_version, points) t;
  if tier_id is null then return; end if;
  if required > 0 then
    total := (
      select through from loyalty_earned_day where customer_id = the_customer and day <= today order by day desc limit 1);
    if required <= earned then
      -- The first day whose points, once out of the window, leave too few for the tier.
      select (d.day + make_interval(months => the_months))::date, required - (total - d.through) into until, missing
      from loyalty_earned_day d
      where d.customer_id = the_customer
        -- Found by day, from today back, on the page of the index that the sums come from: no more days than hold the tier.
        and d.day > coalesce((
          select b.day from loyalty_earned_day b
          where b.customer_id = the_customer and b.through <= total - required
          order by b.day desc limit 1), '-infinity')
      order by d.day limit 1;
    end if;
    if kept_points = required and kept_until > coalesce(until, '-infinity') then
      until := kept_until;
      missing := required - coalesce(total, 0) + coalesce((
        select d.through from loyalty_earned_day d
        where d.customer_id = the_customer and d.day < loyalty_counts_from(kept_until + 1, the_months)
        order by d.day desc limit 1), 0);
    end if;
  end if;
  return next;
end $$;
