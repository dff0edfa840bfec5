-- The points that decide the status: those earned in the last months, or at least what a promised status requires
-- (db/functions/loyalty_kept_status.sql). Working out a promise takes most of the time, so it is asked first whether there can
-- be one: a promise that moved here, or a version that began so lately that one of the version before may last.
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
  if exists (select from loyalty_status_floor f where f.customer_id = the_customer and f.until >= today)
    or exists (
      select from loyalty_programme v
      where v.withdrawn_at is null
        and club_day(v.starts_at) + make_interval(months => (select max(p.tier_months) from loyalty_programme p)) >= today)
  then
    return greatest(earned, (select k.points_required from loyalty_kept_status(the_customer, the_version, today) k));
  end if;
  return earned;
end $$;
