-- Trigger function: returns that became applied, by the shop that took them back, and what they took of a campaign's points.
-- Called by the triggers shop_return_counts and shop_return_begins_to_count on shop_return.
create or replace function metric_return() returns trigger language plpgsql as $$
begin
  insert into metric_delta (day, metric, part, count, amount)
  values (club_day(new.returned_at), 'returned', new.shop_id, 1, metric_cents(new.refunds, 'cents'));
  if new.campaign_id is not null then
    insert into metric_delta (day, metric, part, count, amount)
    values (club_day(new.returned_at), 'campaign', new.campaign_id, 0, -new.campaign_points);
  end if;
  return null;
end $$;
