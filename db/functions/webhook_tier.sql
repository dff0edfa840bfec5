-- The tier of an account today. Called by webhook_account and webhook_status.
create or replace function webhook_tier(the_customer bigint) returns integer
  language sql stable
  return (
    select t.id from loyalty_account a
    cross join lateral loyalty_programme_at(a.programme_id, now()) p
    cross join lateral loyalty_tier_for(
      p.id, loyalty_status_points(a.customer_id, p.id, p.tier_months, club_day(now()))) t
    where a.customer_id = the_customer);
