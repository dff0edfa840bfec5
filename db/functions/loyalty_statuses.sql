-- The status above the lowest of every customer who holds one, on a day by a version of the programme: the rule of
-- loyalty_status over the whole club at once (the tests of kept statuses compare both).
-- Called by
-- src/move/export/export-queries.server.ts and src/move/reconcile/reconcile.server.ts.
create or replace function loyalty_statuses(the_version integer, the_months integer, today date)
  returns table (customer_id bigint, tier_id integer, until date) language sql stable parallel safe as $$
  with promised as materialized (
    -- Only a customer of another club, or of an earlier version, has been promised anything.
    select p.customer_id, k.points_required, k.until from (
      select f.customer_id from loyalty_status_floor f where f.until >= today
      union select a.customer_id from loyalty_account a
      where exists (select from loyalty_programme v join loyalty_programme current on current.id = the_version
        where coalesce(v.version_of, v.id) = coalesce(current.version_of, current.id) and v.starts_at < current.starts_at)
    ) p cross join lateral loyalty_kept_status(p.customer_id, the_version, today) k
  ), earned as materialized (
    select e.customer_id, coalesce(max(e.through), 0) as total, sum(e.points)::integer as points from (
      select d.customer_id, d.through, case when d.day >= (select loyalty_counts_from(today, the_months)) then d.points else 0 end as points
      from loyalty_earned_day d where d.day <= (select today)
      union all
      select p.customer_id, null, p.counts from loyalty_pending p
      where p.arrived_at is null and p.arrives_at <= club_day_start(today)) e
    group by 1
  )
  select customer_id, tier.id,
    case when k.points_required = tier.points_required and k.until > coalesce(held.until, '-infinity') then k.until else held.until end
  from earned e full join promised k using (customer_id)
  cross join lateral (
    select t.id, t.points_required from loyalty_tier t
    where t.programme_id = the_version and t.points_required <= greatest(e.points, k.points_required)
    order by t.points_required desc limit 1
  ) tier
  left join lateral (
    select (d.day + make_interval(months => the_months))::date as until from loyalty_earned_day d
    where d.customer_id = e.customer_id and d.through > e.total - tier.points_required and tier.points_required <= e.points
    order by d.through limit 1
  ) held on true
  where tier.points_required > 0
$$;
