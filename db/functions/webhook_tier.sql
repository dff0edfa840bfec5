-- The tier of an account today. Called by webhook_account and webhook_status.
create or replace function webhook_tier(the_customer bigint) returns integer
  language sql stable
  return (
    select t.id from loyalty_account a
    cross join lateral loyalty_programme_at(a.programme_id, now()) p
    join loyalty_tier t on t.programme_id = p.id
      and t.points_required <= loyalty_status_points(a.customer_id, p.id, p.tier_months, club_day(now()))
    where a.customer_id = the_customer
    order by t.points_required desc limit 1);
