-- What a sale depends on: the customer named by a card, a token or else by the vouchers, with the tier of the day; how
-- often they bought that day, without sales that were cancelled and without amendments; the vouchers. A purchase locks first, in the order
-- customer, account, vouchers by code, and writes down what the clock has brought; a quote only reads. Accounts may be merged while a purchase waits for its lock: then it is the survivor's.
-- Called by src/shop/sales/purchase/facts.server.ts.
create or replace function shop_sale_facts(
  the_card text, the_customer bigint, the_codes text[], sold_at timestamptz, pending_from timestamptz,
  moment timestamptz, locks boolean
) returns jsonb language plpgsql as $$
declare
  named bigint := customer_survivor(the_customer);
begin
  if named is null and the_card is not null then
    -- A card that was replaced counts for sales made before, which a till may send later.
    select customer_id into named from loyalty_card c
    where c.number = the_card and (c.replaced_at is null or c.replaced_at > shop_sale_facts.sold_at);
  end if;
  if named is null then
    select c.customer_id into named from loyalty_voucher_code c
    where c.code = any (the_codes) order by array_position(the_codes, c.code) limit 1;
  end if;
  if locks then
    loop
      perform 1 from customer where id = named for no key update;
      perform 1 from loyalty_account where customer_id = named for update;
      exit when customer_survivor(named) is not distinct from named;
      named := customer_survivor(named);
    end loop;
    perform loyalty_refresh(named, moment);
    perform 1 from loyalty_voucher_code where code = any (the_codes) order by code for update;
  end if;
  return jsonb_build_object(
    'namedId', named,
    'language', (select c.language from customer c where c.id = named),
    'member', shop_member_at(named, sold_at, pending_from, moment),
    'isFirst', not exists (
      select from shop_sale s where s.customer_id = named and not shop_sale_voided(s.shop_id, s.number)),
    'salesThatDay', (
      select count(*) from shop_sale s
      where s.customer_id = named
        and s.sold_at >= club_day_start(club_day(shop_sale_facts.sold_at))
        and s.sold_at < club_day_start(club_day(shop_sale_facts.sold_at) + 1)
        and s.amends is null and not shop_sale_voided(s.shop_id, s.number)),
    'vouchers', case when cardinality(the_codes) > 0 then shop_vouchers(null, the_codes, moment) else '[]' end);
end $$;
