-- The version of a programme that is in force at a moment: of those published, the one that began last. A plain query, so
-- that PostgreSQL makes it part of the statement that calls it.
-- Called by src/loyalty/referral/referral-job.server.ts,
-- src/move/export/export-queries.server.ts, src/move/reconcile/reconcile.server.ts, referral_kept,
-- loyalty_move, loyalty_add, loyalty_arrive, loyalty_obtain, loyalty_obtain_confirmed, loyalty_gift, shop_member_at, webhook_tier, metric_lot,
-- src/loyalty/programme/programme.server.ts and src/shop/keys/identify-query.server.ts.
create or replace function loyalty_programme_at(the_programme integer, moment timestamptz)
  returns setof loyalty_programme language sql stable parallel safe rows 1 as $$
  select * from loyalty_programme
  where coalesce(version_of, id) = the_programme and starts_at <= moment and withdrawn_at is null
  order by starts_at desc, version desc limit 1
$$;
