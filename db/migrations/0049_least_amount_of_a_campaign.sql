-- A campaign may ask for a least amount. It is frozen with the sale: what falls below it by a return loses the points that
-- were added; without one they stay while anything is left.
alter table shop_sale add column campaign_minimum_cents integer;
alter table campaign add column minimum_cents integer;
alter table campaign add constraint campaign_minimum check (minimum_cents between 1 and 99999999) not valid;

create or replace function loyalty_campaigns(
  the_customer bigint, the_tier integer, the_shop integer, sold_at timestamptz
) returns jsonb
  language sql stable
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'name', c.name, 'text', c.text, 'multiplierHundredths', c.multiplier_hundredths,
      'extraPoints', c.extra_points, 'minimumCents', c.minimum_cents, 'endsAt', coalesce(c.ended_at, c.ends_at),
      'shop', s.name) order by c.id)
    from campaign c left join shop s on s.id = c.shop_id
    where c.starts_at <= sold_at and coalesce(c.ended_at, c.ends_at) > sold_at and c.approved_at <= sold_at
      and coalesce(c.tier_id, the_tier) = the_tier
      and (the_shop is null or coalesce(c.shop_id, the_shop) = the_shop)
      and (c.idle_months is null or coalesce(
        (select max(b.sold_at) from shop_sale b where b.customer_id = the_customer),
        (select a.member_since from loyalty_account a where a.customer_id = the_customer))
        <= sold_at - make_interval(months => c.idle_months))), '[]');

create or replace function shop_sale_lock(the_shop integer, the_number text) returns jsonb language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(the_shop || ':' || the_number, 17));
  return (
    select jsonb_build_object(
      'shopId', s.shop_id, 'number', s.number, 'soldAt', s.sold_at, 'customerId', s.customer_id, 'whole', s.whole,
      'lines', s.lines, 'vouchers', s.vouchers, 'entryId', s.entry_id,
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
