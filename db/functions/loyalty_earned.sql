-- Points earned in the last months, which decide the tier: one running total less another (loyalty_earned_day), so the
-- cost does not grow with the number of entries, and what has arrived but is not yet written down (loyalty_pending).
-- Called by src/loyalty/ledger/loyalty-customer.server.ts, loyalty_move, loyalty_arrive, loyalty_status_points,
-- loyalty_status and loyalty_kept_status.
create or replace function loyalty_earned(the_customer bigint, the_months integer, today date) returns integer
  language plpgsql stable parallel safe as $$
begin
  return coalesce((
    select through from loyalty_earned_day
    where customer_id = the_customer and day <= today order by day desc limit 1), 0)
  - coalesce((
    select through from loyalty_earned_day
    where customer_id = the_customer and day < loyalty_counts_from(today, the_months) order by day desc limit 1), 0)
  + coalesce((
    select sum(p.counts) from loyalty_pending p
    where p.customer_id = the_customer and p.arrived_at is null and p.arrives_at <= club_day_start(today)), 0)::integer;
end $$;
