-- A campaign is launched by one person and approved by another: it counts for sales since then. Those of before count as
-- approved when they were made; nobody is named for it.
alter table campaign add column approved_at timestamptz;
alter table campaign add column approved_by integer references staff;
alter table campaign add constraint campaign_approved
  check (approved_at >= created_at and approved_by <> created_by) not valid;

create or replace function campaign_forward() returns trigger language plpgsql as $$
declare
  moving constant text[] := array['approved_at', 'approved_by', 'ended_at', 'ended_by'];
begin
  if to_jsonb(new) - moving is distinct from to_jsonb(old) - moving
     or old.approved_at is not null
       and (new.approved_at, new.approved_by) is distinct from (old.approved_at, old.approved_by)
     or old.ended_at is not null and (new.ended_at, new.ended_by) is distinct from (old.ended_at, old.ended_by) then
    raise exception 'a campaign is approved once, ended once and never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

update campaign set approved_at = created_at;

create or replace function loyalty_campaigns(
  the_customer bigint, the_tier integer, the_shop integer, sold_at timestamptz
) returns jsonb
  language sql stable
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'name', c.name, 'text', c.text, 'multiplierHundredths', c.multiplier_hundredths,
      'extraPoints', c.extra_points, 'endsAt', coalesce(c.ended_at, c.ends_at), 'shop', s.name) order by c.id)
    from campaign c left join shop s on s.id = c.shop_id
    where c.starts_at <= sold_at and coalesce(c.ended_at, c.ends_at) > sold_at and c.approved_at <= sold_at
      and coalesce(c.tier_id, the_tier) = the_tier
      and (the_shop is null or coalesce(c.shop_id, the_shop) = the_shop)
      and (c.idle_months is null or coalesce(
        (select max(b.sold_at) from shop_sale b where b.customer_id = the_customer),
        (select a.member_since from loyalty_account a where a.customer_id = the_customer))
        <= sold_at - make_interval(months => c.idle_months))), '[]');
