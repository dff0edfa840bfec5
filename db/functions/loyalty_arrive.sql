-- Credits the pending points of purchases, and of another club, whose day has come, dated when they were earned, also to
-- former members, and settles debt with them. A job sends the email about a status that they reach. The caller holds the account's lock.
-- Called by loyalty_refresh.
create or replace function loyalty_arrive(the_customer bigint, moment timestamptz) returns void language plpgsql as $$
declare
  due loyalty_pending;
  written bigint;
  counted integer := 0;
begin
  for due in
    select * from loyalty_pending p
    where p.customer_id = the_customer and p.arrived_at is null and p.arrives_at <= moment order by p.sold_at, p.cause
  loop
    -- First, so that these points are not counted twice (db/functions/loyalty_earned.sql).
    update loyalty_pending p set arrived_at = loyalty_booked_at(moment)
    where p.customer_id = the_customer and p.cause = due.cause;
    written := loyalty_add(
      the_customer, due.remaining, due.counts, case when due.cause like 'import:%' then 'import' else 'purchase' end,
      due.cause, due.label, due.sold_at, moment, due.expires_at);
    -- Points that arrive late may be too old to count towards a status.
    counted := counted + case when exists (
      select from loyalty_account a cross join lateral loyalty_programme_at(a.programme_id, moment) p
      where a.customer_id = the_customer and club_day(due.sold_at) >= loyalty_counts_from(club_day(moment), p.tier_months))
      then due.counts else 0 end;
    if written is not null then
      update loyalty_pending p set entry_id = written where p.customer_id = the_customer and p.cause = due.cause;
      update shop_sale s set entry_id = written
      where due.cause like 'purchase:%' and s.shop_id = split_part(due.cause, ':', 2)::integer and s.number = split_part(due.cause, ':', 3);
      perform loyalty_settle(the_customer, 'settle:' || written, moment);
    end if;
  end loop;
  if counted = 0 then
    return;
  end if;
  perform graphile_worker.add_job(
    'loyalty:status-reached', json_build_object('customerId', the_customer, 'tierId', reached.id, 'at', moment))
  from loyalty_account a
  cross join lateral loyalty_programme_at(a.programme_id, moment) p
  cross join lateral (select loyalty_earned(the_customer, p.tier_months, club_day(moment)) as points offset 0) earned
  cross join lateral loyalty_tier_for(p.id, earned.points) reached
  where a.customer_id = the_customer and a.state = 'active' and reached.points_required > earned.points - counted;
end $$;
