-- Whether a customer may have been promised a status that has not ended: one that moved here with them, or one of a version of
-- the programme that ended so lately that its months have not passed. Called by loyalty_status_for and loyalty_status_points.
create or replace function loyalty_may_be_promised(the_customer bigint, today date) returns boolean
  language plpgsql stable as $$
begin
  return exists (select from loyalty_status_floor f where f.customer_id = the_customer and f.until >= today)
    or exists (
      select from loyalty_programme v
      where v.withdrawn_at is null
        and club_day(v.starts_at) + make_interval(months => (select max(p.tier_months) from loyalty_programme p)) >= today);
end $$;
