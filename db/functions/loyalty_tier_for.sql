-- The tier for so many points by a version of the programme: the highest that requires no more.
-- It returns a set, so that the planner puts it into the calling query; offset 0 keeps it from working out the points again for
-- each tier.
-- Called by src/office/customers/server/record/search.server.ts, src/shop/keys/identify-query.server.ts, loyalty_arrive,
-- src/loyalty/segments/compile-segment.server.ts, src/office/segments/export.server.ts,
-- loyalty_kept_status, loyalty_status_for, metric_lot, shop_member_at and webhook_tier.
create or replace function loyalty_tier_for(the_version integer, the_points integer) returns setof loyalty_tier
  language sql stable parallel safe rows 1 as $$
  select t.* from (select greatest(the_points, 0) as points offset 0) reached
  join loyalty_tier t on t.programme_id = the_version and t.points_required <= reached.points
  order by t.points_required desc limit 1
$$;
