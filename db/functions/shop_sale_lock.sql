-- A sale with what was returned of it and whether it has brought points, pending or not, once everybody else who sells or returns under its number has finished. Null when it
-- has not arrived, or its amounts were deleted. Called by src/shop/sales/return/take-back.server.ts.
create or replace function shop_sale_lock(the_shop integer, the_number text) returns jsonb language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(the_shop || ':' || the_number, 17));
  return (
    select jsonb_build_object(
      'shopId', s.shop_id, 'number', s.number, 'soldAt', s.sold_at, 'customerId', s.customer_id, 'whole', s.whole,
      'lines', s.lines, 'vouchers', s.vouchers,
      'credited', s.entry_id is not null or exists (
        select from loyalty_pending p
        where p.customer_id = s.customer_id and p.cause = 'purchase:' || s.shop_id || ':' || s.number),
      'rule', case when s.points_per_euro is not null then jsonb_build_object(
        'pointsPerEuro', s.points_per_euro, 'multiplierHundredths', s.multiplier_hundredths,
        'campaignId', s.campaign_id, 'campaignMultiplierHundredths', s.campaign_multiplier_hundredths,
        'campaignExtraPoints', s.campaign_extra_points, 'campaignMinimumCents', s.campaign_minimum_cents) end,
      'returned', coalesce((
        select jsonb_agg(refund)
        from shop_return r cross join jsonb_array_elements(r.refunds) refund
        where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied'), '[]'))
    from shop_sale s
    where s.shop_id = the_shop and s.number = the_number);
end $$;
