-- Trigger function: sales by shop and club day, with what was paid, those of members apart, and of these how many are of members
-- who had bought before. A claim or a corrected clock
-- moves them, unless they were voided; deleting the amounts of an old receipt does not. Called by the triggers shop_sale_counts and
-- shop_sale_moves on shop_sale.
create or replace function metric_sale() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if shop_sale_voided(new.shop_id, new.number) then
      return null;
    end if;
    insert into metric_delta (day, metric, part, count, amount)
    values (club_day(old.sold_at), metric_of_sale(old.customer_id), old.shop_id, -1, -metric_cents(old.lines, 'paidCents'));
    if old.repeats then
      insert into metric_delta (day, metric, part, count, amount)
      values (club_day(old.sold_at), 'sale_repeat', old.shop_id, -1, 0);
    end if;
  end if;
  insert into metric_delta (day, metric, part, count, amount)
  values (club_day(new.sold_at), metric_of_sale(new.customer_id), new.shop_id, 1, metric_cents(new.lines, 'paidCents'));
  if new.repeats then
    insert into metric_delta (day, metric, part, count, amount)
    values (club_day(new.sold_at), 'sale_repeat', new.shop_id, 1, 0);
  end if;
  if new.customer_id is not null and (tg_op = 'INSERT' or old.customer_id is null) then
    perform metric_active(new.customer_id, club_day(new.sold_at));
  end if;
  return null;
end $$;
