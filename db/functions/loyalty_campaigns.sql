-- The campaigns that count for a member's purchase at a moment: those in force and approved by then, for the member's tier,
-- in that shop (null: in any), and where they ask for it after so many months without a purchase, or since joining. A later
-- purchase that is known ends it too: receipts are claimed and sent in any order. It may also ask for days of the week and
-- hours of the club's clock (not where no shop is named: the member's page shows it all the time, with its days and hours), for the days around a
-- birthday that was there before the campaign, and for a segment; members of its control group, or of the club's hold-out, have none of it. What a
-- campaign asks to be paid at least (minimumCents), and on which lines (lineRule), is for the caller to compare. Where points
-- are limited, in all or for a member, leftPoints says how many are left. Those that give a voucher are not for sales.
-- Called by shop_sale_campaigns and src/loyalty/ledger/loyalty-customer.server.ts.
create or replace function loyalty_campaigns(
  the_customer bigint, the_tier integer, the_shop integer, sold_at timestamptz
) returns jsonb
  language plpgsql stable as $$
begin
  if not exists (select from campaign c where c.starts_at <= sold_at and coalesce(c.ended_at, c.ends_at) > sold_at) then
    return '[]';
  end if;
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'name', c.name, 'text', c.text, 'multiplierHundredths', c.multiplier_hundredths,
      'extraPoints', c.extra_points, 'minimumCents', c.minimum_cents, 'endsAt', coalesce(c.ended_at, c.ends_at),
      'weekdays', c.weekdays, 'fromHour', c.from_hour, 'toHour', c.to_hour, 'shop', s.name, 'lineRule', c.line_rule, 'limited', l.campaign_id is not null,
      'leftPoints', case when coalesce(l.limit_points, c.member_limit_points) is not null then greatest(0, least(
        l.limit_points - l.given_points, c.member_limit_points - coalesce((
          select sum(b.campaign_cap_points) from shop_sale b
          where b.customer_id = the_customer and b.campaign_id = c.id), 0))) end) order by c.id)
    from campaign c left join shop s on s.id = c.shop_id left join campaign_limit l on l.campaign_id = c.id
    where c.starts_at <= sold_at and coalesce(c.ended_at, c.ends_at) > sold_at and c.approved_at <= sold_at
      and c.voucher_cents is null and not campaign_held_out(the_customer, sold_at)
      and coalesce(c.tier_id, the_tier) = the_tier and not campaign_controls(c.salt, c.control_percent, the_customer)
      and (the_shop is null or coalesce(c.shop_id, the_shop) = the_shop)
      and (the_shop is null or (c.weekdays is null or extract(isodow from club_day(sold_at)) = any (c.weekdays))
        and (c.from_hour is null
          or extract(hour from sold_at at time zone :'time_zone') between c.from_hour and c.to_hour - 1))
      and (c.birthday_days is null or exists (
        select from customer p cross join generate_series(-1, 1) step
        where p.id = the_customer and coalesce(p.birthday_changed_at < c.created_at, true)
          and abs(club_day(sold_at) - (p.birthday + make_interval(years => step + (
            extract(year from club_day(sold_at)) - extract(year from p.birthday))::integer))::date) <= c.birthday_days))
      and (c.segment_id is null or segment_holds(c.segment_id, c.segment_version, the_customer, sold_at))
      and (c.idle_months is null or coalesce(
        (select max(b.sold_at) from shop_sale b where b.customer_id = the_customer),
        (select a.member_since from loyalty_account a where a.customer_id = the_customer))
        <= sold_at - make_interval(months => c.idle_months))), '[]');
end $$;
