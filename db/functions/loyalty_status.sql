-- A customer's status on a day by a version of the programme: the tier, the last day it is held if nothing more is
-- earned, and the points that keep it beyond that day. The lowest is held for good. A promised status is held until its
-- promised end (db/functions/loyalty_kept_status.sql).
-- Called by
-- src/loyalty/ledger/loyalty-customer.server.ts and src/loyalty/ledger/warnings/warnings.server.ts.
create or replace function loyalty_status(
  the_customer bigint, the_version integer, the_months integer, today date
) returns table (tier_id integer, until date, missing integer) language plpgsql stable rows 1 as $$
#variable_conflict use_column
declare
  earned integer := loyalty_earned(the_customer, the_months, today);
  points integer := earned;
  kept record;
  tier record;
  total integer;
  held record;
begin
  select null::integer as points_required, null::date as until into kept;
  if loyalty_may_be_promised(the_customer, today) then
    select k.points_required, k.until into kept from loyalty_kept_status(the_customer, the_version, today) k;
    points := greatest(earned, kept.points_required);
  end if;
  select t.id, t.points_required into tier from loyalty_tier_for(the_version, points) t;
  if tier.id is null then return; end if;
  if tier.points_required = 0 then
    return query select tier.id, null::date, null::integer;
    return;
  end if;
  total := (
    select through from loyalty_earned_day where customer_id = the_customer and day <= today order by day desc limit 1);
  select null::date as until, null::integer as missing into held;
  if tier.points_required <= earned then
    -- The first day whose points, once out of the window, leave too few for the tier.
    select (d.day + make_interval(months => the_months))::date as until,
      tier.points_required - (total - d.through) as missing
    into held
    from loyalty_earned_day d
    where d.customer_id = the_customer
      -- Found by day, from today back, on the page of the index that the sums come from: no more days than hold the tier.
      and d.day > coalesce((
        select b.day from loyalty_earned_day b
        where b.customer_id = the_customer and b.through <= total - tier.points_required
        order by b.day desc limit 1), '-infinity')
    order by d.day limit 1;
  end if;
  if kept.points_required = tier.points_required and kept.until > coalesce(held.until, '-infinity') then
    return query select tier.id, kept.until, tier.points_required - coalesce(total, 0) + coalesce((
      select d.through from loyalty_earned_day d
      where d.customer_id = the_customer and d.day < loyalty_counts_from(kept.until + 1, the_months)
      order by d.day desc limit 1), 0);
  else
    return query select tier.id, held.until, held.missing;
  end if;
end $$;
