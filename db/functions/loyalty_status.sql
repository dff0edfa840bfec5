-- A customer's status on a day by a version of the programme: the tier, the last day it is held if nothing more is
-- earned, and the points that keep it beyond that day. The lowest is held for good. A promised status is held until its
-- promised end (db/functions/loyalty_kept_status.sql).
-- Called by
-- src/loyalty/ledger/loyalty-customer.server.ts and src/loyalty/ledger/warnings/warnings.server.ts.
create or replace function loyalty_status(
  the_customer bigint, the_version integer, the_months integer, today date
) returns table (tier_id integer, until date, missing integer) language sql stable rows 1 as $$
  select tier.id,
    case when kept.until > coalesce(held.until, '-infinity') then kept.until else held.until end,
    case when kept.until > coalesce(held.until, '-infinity') then
      tier.points_required - coalesce(total.through, 0) + coalesce((
        select d.through from loyalty_earned_day d
        where d.customer_id = the_customer and d.day < loyalty_counts_from(kept.until + 1, the_months)
        order by d.day desc limit 1), 0)
      else held.missing end
  from loyalty_tier_for(the_version, loyalty_status_points(the_customer, the_version, the_months, today)) tier
  left join lateral (
    select through from loyalty_earned_day
    where customer_id = the_customer and day <= today order by day desc limit 1
  ) total on true
  left join lateral (
    -- The first day whose points, once out of the window, leave too few for the tier.
    select (d.day + make_interval(months => the_months))::date as until,
      tier.points_required - (total.through - d.through) as missing
    from loyalty_earned_day d
    where d.customer_id = the_customer and tier.points_required <= loyalty_earned(the_customer, the_months, today)
      -- Found by day, from today back, on the page of the index that the sums come from: no more days than hold the tier.
      and d.day > coalesce((
        select b.day from loyalty_earned_day b
        where b.customer_id = the_customer and b.through <= total.through - tier.points_required
        order by b.day desc limit 1), '-infinity')
    order by d.day limit 1
  ) held on true
  left join lateral (
    select k.until from loyalty_kept_status(the_customer, the_version, today) k
    where k.points_required = tier.points_required and tier.points_required > 0
  ) kept on true
$$;
