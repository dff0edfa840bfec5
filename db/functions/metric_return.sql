-- Trigger function: returns that became applied, by the shop that took them back, and what they took of a campaign's points.
-- A voided sale is counted neither as a sale nor as a return. Called by the triggers shop_return_counts and
-- shop_return_begins_to_count on shop_return.
create or replace function metric_return() returns trigger language plpgsql as $$
begin
  if new.kind = 'void' then
    insert into metric_delta (day, metric, part, count, amount)
    select club_day(s.sold_at), metric_of_sale(s.customer_id), s.shop_id, -1, -metric_cents(s.lines, 'paidCents')
    from shop_sale s where s.shop_id = new.sale_shop_id and s.number = new.sale_number;
  else
    insert into metric_delta (day, metric, part, count, amount)
    values (club_day(new.returned_at), 'returned', new.shop_id, 1, metric_cents(new.refunds, 'cents'));
  end if;
  if new.campaign_id is not null then
    insert into metric_delta (day, metric, part, count, amount)
    values (club_day(new.returned_at), 'campaign', new.campaign_id, case new.kind when 'void' then -1 else 0 end,
      -new.campaign_points);
  end if;
  return null;
end $$;
