-- Trigger function: sales by shop and club day, with what was paid, those of members apart. A claim or a corrected clock
-- moves them; deleting the amounts of an old receipt does not. Called by the triggers shop_sale_counts and
-- shop_sale_moves on shop_sale.
create or replace function figure_sale() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into figure_delta (day, figure, part, count, amount)
    values (club_day(old.sold_at), figure_of_sale(old.customer_id), old.shop_id, -1, -figure_cents(old.lines, 'paidCents'));
  end if;
  insert into figure_delta (day, figure, part, count, amount)
  values (club_day(new.sold_at), figure_of_sale(new.customer_id), new.shop_id, 1, figure_cents(new.lines, 'paidCents'));
  if new.customer_id is not null and (tg_op = 'INSERT' or old.customer_id is null) then
    perform figure_active(new.customer_id, club_day(new.sold_at));
  end if;
  return null;
end $$;
