-- What was paid for the lines of a sale that earn, less what was refunded of it. Called by
-- referral_kept.
create or replace function shop_sale_left(the_shop integer, the_number text) returns bigint
  language sql stable
  return (
    select sum((line ->> 'paidCents')::bigint) from shop_sale s cross join jsonb_array_elements(s.lines) line
    where s.shop_id = the_shop and s.number = the_number and (line ->> 'earns')::boolean)
    - coalesce((
      select sum((refund ->> 'cents')::bigint) from shop_sale s cross join jsonb_array_elements(s.lines) line
      join shop_return r on r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied'
      cross join jsonb_array_elements(r.refunds) refund
      where s.shop_id = the_shop and s.number = the_number and (line ->> 'earns')::boolean
        and refund ->> 'line' = line ->> 'line'), 0);
