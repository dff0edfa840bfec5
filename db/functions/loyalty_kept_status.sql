-- The status that earlier versions of the programme, or a club that moved here (loyalty_status_floor), promised and whose
-- promised end has not passed: a floor, so that
-- fewer months or more points in a new version demote no one before the day they were told. As points required in the
-- version in force, by rank, and the promised end. No row when nothing is promised. The promise of a version is what its
-- rules gave on the day before the next version if nothing more was earned; a version that lasted less promises nothing.
-- Called by loyalty_status_points, loyalty_status_for and loyalty_statuses.
create or replace function loyalty_kept_status(the_customer bigint, the_version integer, today date)
  returns table (points_required integer, until date) language sql stable parallel safe rows 1 as $$
  select kept.points_required, promised.until from (
  select was.rank, held.until
  from loyalty_programme current
  cross join lateral (
    select v.id, v.tier_months, club_day(v.ends_at) - 1 as last_day
    from (
      select id, tier_months, starts_at, lead(starts_at) over (order by starts_at, version) as ends_at
      from loyalty_programme
      where coalesce(version_of, id) = coalesce(current.version_of, current.id) and withdrawn_at is null
    ) v
    where club_day(v.starts_at) < club_day(v.ends_at) and v.ends_at <= current.starts_at
      and (club_day(v.ends_at) + make_interval(months => v.tier_months))::date >= today
  ) earlier
  cross join lateral (
    select through from loyalty_earned_day
    where customer_id = the_customer and day <= earlier.last_day order by day desc limit 1
  ) total
  cross join lateral (
    select t.rank, t.points_required
    from loyalty_tier_for(earlier.id, loyalty_earned(the_customer, earlier.tier_months, earlier.last_day)) t
    where t.points_required > 0
  ) was
  cross join lateral (
    select (d.day + make_interval(months => earlier.tier_months))::date as until from loyalty_earned_day d
    where d.customer_id = the_customer and d.day <= earlier.last_day
      and d.day > coalesce((
        select b.day from loyalty_earned_day b
        where b.customer_id = the_customer and b.day <= earlier.last_day
          and b.through <= total.through - was.points_required
        order by b.day desc limit 1), '-infinity')
    order by d.day limit 1
  ) held
  where current.id = the_version and held.until >= today
  union all
  select f.rank, f.until from loyalty_status_floor f where f.customer_id = the_customer and f.until >= today
  ) promised
  cross join lateral (
    select t.points_required from loyalty_tier t
    where t.programme_id = the_version and t.rank <= promised.rank order by t.rank desc limit 1
  ) kept
  order by kept.points_required desc, promised.until desc limit 1
$$;
