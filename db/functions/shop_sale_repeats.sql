-- Trigger function: whether the customer of a sale had bought before, as it was when the sale was recorded or claimed. Voided
-- sales are none, and an amendment is no purchase of its own. A sale that becomes another account's by a merge keeps what it was. Called by the trigger shop_sale_repeats on
-- shop_sale.
create or replace function shop_sale_repeats() returns trigger language plpgsql as $$
begin
  if new.customer_id is null or new.amends is not null then
    new.repeats := false;
  elsif tg_op = 'INSERT' or old.customer_id is null then
    new.repeats := exists (
      select from shop_sale s
      where s.customer_id = new.customer_id and (s.shop_id, s.number) <> (new.shop_id, new.number)
        and not shop_sale_voided(s.shop_id, s.number));
  end if;
  return new;
end $$;
