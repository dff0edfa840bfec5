-- The points that decide the status: those earned in the last months, or at least what a promised status requires
-- (db/functions/loyalty_kept_status.sql). Working out a promise takes most of the time, so it is asked first whether there can
-- be one.
-- Called by src/office/customers/server/record/search.server.ts, src/shop/keys/identify-query.server.ts, loyalty_status, shop_member_at,
-- src/loyalty/segments/compile-segment.server.ts, src/office/segments/export.server.ts,
-- metric_lot and webhook_tier.
create or replace function loyalty_status_points(
  the_customer bigint, the_version integer, the_months integer, today date
) returns integer
  language plpgsql stable as $$
declare
  earned integer := loyalty_earned(the_customer, the_months, today);
begin
  if loyalty_may_be_promised(the_customer, today) then
    return greatest(earned, (select k.points_required from loyalty_kept_status(the_customer, the_version, today) k));
  end if;
  return earned;
end $$;
