-- Trigger function: the points that a campaign added to a sale, by the day of the sale.
-- Called by the triggers shop_sale_of_campaign and shop_sale_campaign_moves on shop_sale.
create or replace function metric_campaign() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.campaign_id is not null then
    insert into metric_delta (day, metric, part, count, amount)
    values (club_day(old.sold_at), 'campaign', old.campaign_id, -1, -old.campaign_points);
  end if;
  insert into metric_delta (day, metric, part, count, amount)
  values (club_day(new.sold_at), 'campaign', new.campaign_id, 1, new.campaign_points);
  return null;
end $$;
