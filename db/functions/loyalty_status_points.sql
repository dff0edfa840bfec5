-- The points that decide the status: those earned in the last months, or at least what a promised status requires
-- (db/functions/loyalty_kept_status.sql).
-- Called by src/office/customers/server/record/search.server.ts, src/shop/keys/identify-query.server.ts, loyalty_status, shop_member_at,
-- metric_lot and webhook_tier.
create or replace function loyalty_status_points(
  the_customer bigint, the_version integer, the_months integer, today date
) returns integer
  language sql stable
  return greatest(
    loyalty_earned(the_customer, the_months, today),
    (select k.points_required from loyalty_kept_status(the_customer, the_version, today) k));
