-- The campaigns that count for a member's purchase at a moment: those in force and approved by then, for the member's tier,
-- in that shop (null: in any), and where they ask for it after so many months without a purchase, or since joining. A later
-- purchase that is known ends it too: receipts are claimed and sent in any order. What a campaign asks to be paid at least
-- (minimumCents) is for the caller to compare.
-- Called by src/shop/sales/purchase/facts.server.ts and src/loyalty/ledger/loyalty-customer.server.ts.
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
