-- A sale with what was returned of it and whether it has brought points, pending or not, as it is recorded at the moment.
-- Null when it has not arrived, or its amounts were deleted. Called by shop_sale_lock and
-- src/shop/sales/return/take-back.server.ts.
create or replace function shop_sale_read(the_shop integer, the_number text) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'shopId', s.shop_id, 'number', s.number, 'soldAt', s.sold_at, 'customerId', s.customer_id, 'whole', s.whole,
    'lines', s.lines, 'vouchers', s.vouchers,
    'credited', s.entry_id is not null or s.former_source is not null and s.earned > 0 or exists (
      select from loyalty_pending p
      where p.customer_id = s.customer_id and p.cause = 'purchase:' || s.shop_id || ':' || s.number),
    'rule', case when s.points_per_euro is not null then jsonb_build_object(
      'pointsPerEuro', s.points_per_euro, 'multiplierHundredths', s.multiplier_hundredths,
      'campaignId', s.campaign_id, 'campaignMultiplierHundredths', s.campaign_multiplier_hundredths,
      'campaignExtraPoints', s.campaign_extra_points, 'campaignMinimumCents', s.campaign_minimum_cents,
      'campaignCapPoints', s.campaign_cap_points, 'campaignLines', s.campaign_lines)
      -- Of a sale in a former club its fraction is frozen.
      when s.former_source is not null then jsonb_build_object('pointsPerEuro', 0, 'multiplierHundredths', 100,
        'formerPoints', s.earned, 'formerCents', (
          select sum((line ->> 'paidCents')::bigint) from jsonb_array_elements(s.lines) line where (line ->> 'earns')::boolean)) end,
    'returned', coalesce((
      select jsonb_agg(refund)
      from shop_return r cross join jsonb_array_elements(r.refunds) refund
      where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied'), '[]'))
  from shop_sale s
  where s.shop_id = the_shop and s.number = the_number;
$$;
