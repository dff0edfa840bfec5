-- Campaigns: more points for a period, by tier, shop, or after months without a purchase.
create table campaign (
  id integer generated always as identity primary key,
  name three_languages not null,
  text three_languages not null,
  -- One of the two: times so many hundredths, or so many points more.
  multiplier_hundredths integer check (multiplier_hundredths between 101 and 1000),
  extra_points integer check (extra_points between 1 and 10000),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Null: everybody, everywhere, whenever they bought last.
  tier_id integer,
  shop_id integer references shop,
  idle_months integer check (idle_months between 1 and 60),
  created_at timestamptz not null,
  created_by integer not null references staff,
  ended_at timestamptz,
  ended_by integer references staff,
  check ((multiplier_hundredths is null) <> (extra_points is null)),
  check (starts_at >= created_at),
  check (ends_at > starts_at)
);
create index campaign_ends on campaign (ends_at);

-- The campaign of a sale, frozen with it, and the points it added; of a return what it took back of them.
alter table shop_sale add column campaign_id integer;
alter table shop_sale add column campaign_multiplier_hundredths integer;
alter table shop_sale add column campaign_extra_points integer;
alter table shop_sale add column campaign_points integer not null default 0;
alter table shop_return add column campaign_id integer;
alter table shop_return add column campaign_points integer not null default 0;

create or replace function loyalty_campaigns(
  the_customer bigint, the_tier integer, the_shop integer, sold_at timestamptz
) returns jsonb
  language sql stable
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'name', c.name, 'text', c.text, 'multiplierHundredths', c.multiplier_hundredths,
      'extraPoints', c.extra_points, 'endsAt', coalesce(c.ended_at, c.ends_at), 'shop', s.name) order by c.id)
    from campaign c left join shop s on s.id = c.shop_id
    where c.starts_at <= sold_at and coalesce(c.ended_at, c.ends_at) > sold_at and c.created_at <= sold_at
      and coalesce(c.tier_id, the_tier) = the_tier
      and (the_shop is null or coalesce(c.shop_id, the_shop) = the_shop)
      and (c.idle_months is null or coalesce(
        (select max(b.sold_at) from shop_sale b
         where b.customer_id = the_customer and b.sold_at <= loyalty_campaigns.sold_at),
        (select a.member_since from loyalty_account a where a.customer_id = the_customer))
        <= sold_at - make_interval(months => c.idle_months))), '[]');

create or replace function campaign_forward() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null or new.ended_at is null
     or (to_jsonb(new) - 'ended_at' - 'ended_by') is distinct from (to_jsonb(old) - 'ended_at' - 'ended_by') then
    raise exception 'a campaign is ended once and never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create or replace function figure_campaign() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.campaign_id is not null then
    insert into figure_delta (day, figure, part, count, amount)
    values (club_day(old.sold_at), 'campaign', old.campaign_id, -1, -old.campaign_points);
  end if;
  insert into figure_delta (day, figure, part, count, amount)
  values (club_day(new.sold_at), 'campaign', new.campaign_id, 1, new.campaign_points);
  return null;
end $$;

create or replace function figure_return() returns trigger language plpgsql as $$
begin
  insert into figure_delta (day, figure, part, count, amount)
  values (club_day(new.returned_at), 'returned', new.shop_id, 1, figure_cents(new.refunds, 'cents'));
  if new.campaign_id is not null then
    insert into figure_delta (day, figure, part, count, amount)
    values (club_day(new.returned_at), 'campaign', new.campaign_id, 0, -new.campaign_points);
  end if;
  return null;
end $$;

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
        'campaignExtraPoints', s.campaign_extra_points) end,
      'returned', coalesce((
        select jsonb_agg(refund)
        from shop_return r cross join jsonb_array_elements(r.refunds) refund
        where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied'), '[]'))
    from shop_sale s
    where s.shop_id = the_shop and s.number = the_number);
end $$;

create or replace view figure_ledger as
select club_day(at) as day, figure_of_entry(kind, points, cause) as figure, figure_shop(kind, cause) as part,
  count(*) as count, sum(abs(points))::bigint as amount
from loyalty_entry where not copied and points <> 0 group by 1, 2, 3
union all
select date_trunc('month', club_day(expires_at)::timestamp)::date, 'outstanding', coalesce(tier_id, 0), 0,
  sum(remaining)::bigint
from loyalty_lot where remaining > 0 group by 1, 3
union all
select club_day(v.obtained_at), 'voucher_' || e.kind, 0, count(*), sum(v.amount_cents)::bigint
from loyalty_voucher v join loyalty_entry e on e.customer_id = v.customer_id and e.id = v.id
where not e.copied group by 1, 2
union all
select day, 'voucher_open', 0, sum(count)::bigint, sum(amount)::bigint from (
  select club_day(v.expires_at) as day, 1 as count, v.amount_cents as amount
  from loyalty_voucher v join loyalty_entry e on e.customer_id = v.customer_id and e.id = v.id where not e.copied
  union all
  select club_day(v.expires_at), -1, -v.amount_cents from loyalty_voucher v where v.used_at is not null
  union all
  select club_day(v.expires_at), -1, -v.amount_cents
  from loyalty_voucher_use u join loyalty_voucher v on v.customer_id = u.customer_id and v.code = u.code
) open group by 1
union all
select club_day(used_at), 'voucher_used', shop_id, count(*), sum(cents)::bigint from (
  select used_at, shop_id, taken_cents as cents from loyalty_voucher_use
  union all
  select used_at, 0, amount_cents from loyalty_voucher where used_at is not null
) used group by 1, 3
union all
select club_day(sold_at), figure_of_sale(customer_id), shop_id, count(*), sum(figure_cents(lines, 'paidCents'))::bigint
from shop_sale group by 1, 2, 3
union all
select club_day(returned_at), 'returned', shop_id, count(*), sum(figure_cents(refunds, 'cents'))::bigint
from shop_return where state = 'applied' group by 1, 3
union all
select day, 'campaign', campaign_id, sum(count)::bigint, sum(points)::bigint from (
  select club_day(sold_at) as day, campaign_id, 1 as count, campaign_points as points
  from shop_sale where campaign_id is not null
  union all
  select club_day(returned_at), campaign_id, 0, -campaign_points
  from shop_return where state = 'applied' and campaign_id is not null
) campaigns group by 1, 3;

create trigger campaign_forward before update on campaign for each row execute function campaign_forward();
create trigger campaign_stays before delete on campaign for each row execute function refuse_change();
create trigger shop_sale_of_campaign after insert on shop_sale
  for each row when (new.campaign_id is not null) execute function figure_campaign();
create trigger shop_sale_campaign_moves after update of sold_at, campaign_id, campaign_points on shop_sale
  for each row when (new.campaign_id is not null and (new.sold_at <> old.sold_at
    or new.campaign_points <> old.campaign_points or old.campaign_id is distinct from new.campaign_id))
  execute function figure_campaign();
