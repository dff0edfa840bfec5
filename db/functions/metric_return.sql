-- Trigger function: returns that became applied, by the shop that took them back, and what they took of a campaign's points.
-- A voided sale is counted neither as a sale nor as a return, and a return that is undone no more. Called by the triggers
-- shop_return_counts, shop_return_begins_to_count and shop_return_stops_counting on shop_return.
create or replace function metric_return() returns trigger language plpgsql as $$
declare
  sign integer := case new.state when 'applied' then 1 else -1 end;
begin
  if new.kind = 'void' then
    insert into metric_delta (day, metric, part, count, amount)
    select club_day(s.sold_at), metric_of_sale(s.customer_id), s.shop_id, -1, -metric_cents(s.lines, 'paidCents')
    from shop_sale s where s.shop_id = new.sale_shop_id and s.number = new.sale_number
    union all
    select club_day(s.sold_at), 'sale_repeat', s.shop_id, -1, 0
    from shop_sale s where s.shop_id = new.sale_shop_id and s.number = new.sale_number and s.repeats;
  else
    insert into metric_delta (day, metric, part, count, amount)
    values (club_day(new.returned_at), 'returned', new.shop_id, sign, sign * metric_cents(new.refunds, 'cents'));
  end if;
  if new.campaign_id is not null then
    insert into metric_delta (day, metric, part, count, amount)
    values (club_day(new.returned_at), 'campaign', new.campaign_id, case new.kind when 'void' then -1 else 0 end,
      -sign * new.campaign_points);
  end if;
  return null;
end $$;
