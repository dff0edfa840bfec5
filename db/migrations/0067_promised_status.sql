-- A status that was promised until a day is kept until then when a new version counts fewer months or asks for more points.

-- The status that earlier versions of the programme promised and whose promised end has not passed: a floor, so that
-- fewer months or more points in a new version demote nobody before the day they were told. As points required in the
-- version in force, by rank, and the promised end. No row when nothing is promised. The promise of a version is what its
-- rules gave on the day before the next version if nothing more was earned; a version that lasted less promises nothing.
-- Called by loyalty_status_points and loyalty_status.
create or replace function loyalty_kept_status(the_customer bigint, the_version integer, today date)
  returns table (points_required integer, until date) language sql stable rows 1 as $$
  select kept.points_required, held.until
  from loyalty_programme current
  cross join lateral (
    select v.id, v.tier_months, club_day(v.ends_at) - 1 as last_day
    from (
      select id, tier_months, starts_at, lead(starts_at) over (order by starts_at, version) as ends_at
      from loyalty_programme
      where coalesce(version_of, id) = coalesce(current.version_of, current.id) and withdrawn_at is null
    ) v
    where club_day(v.starts_at) < club_day(v.ends_at) and v.ends_at <= current.starts_at
      and (club_day(v.ends_at) + make_interval(months => v.tier_months))::date >= today
  ) earlier
  cross join lateral (
    select through from loyalty_earned_day
    where customer_id = the_customer and day <= earlier.last_day order by day desc limit 1
  ) total
  cross join lateral (
    select t.rank, t.points_required from loyalty_tier t
    where t.programme_id = earlier.id and t.points_required > 0
      and t.points_required <= loyalty_earned(the_customer, earlier.tier_months, earlier.last_day)
    order by t.points_required desc limit 1
  ) was
  cross join lateral (
    select (d.day + make_interval(months => earlier.tier_months))::date as until from loyalty_earned_day d
    where d.customer_id = the_customer and d.day <= earlier.last_day
      and d.through > total.through - was.points_required
    order by d.through limit 1
  ) held
  cross join lateral (
    select t.points_required from loyalty_tier t
    where t.programme_id = the_version and t.rank <= was.rank order by t.rank desc limit 1
  ) kept
  where current.id = the_version and held.until >= today
  order by kept.points_required desc, held.until desc limit 1
$$;

-- The points that decide the status: those earned in the last months, or at least what a promised status requires
-- (db/functions/loyalty_kept_status.sql).
-- Called by src/office/customers/search.server.ts, src/shop/keys/identify-query.server.ts, loyalty_status, shop_member_at,
-- figure_lot and webhook_tier.
create or replace function loyalty_status_points(
  the_customer bigint, the_version integer, the_months integer, today date
) returns integer
  language sql stable
  return greatest(
    loyalty_earned(the_customer, the_months, today),
    (select k.points_required from loyalty_kept_status(the_customer, the_version, today) k));

-- A customer's status on a day by a version of the programme: the tier, the last day it is held if nothing more is
-- earned, and the points that keep it beyond that day. The lowest is held for good. A promised status is held until its
-- promised end (db/functions/loyalty_kept_status.sql).
-- Called by src/loyalty/ledger/loyalty-customer.server.ts and src/loyalty/ledger/warnings.server.ts.
create or replace function loyalty_status(
  the_customer bigint, the_version integer, the_months integer, today date
) returns table (tier_id integer, until date, missing integer) language sql stable rows 1 as $$
  select tier.id,
    case when kept.until > coalesce(held.until, '-infinity') then kept.until else held.until end,
    case when kept.until > coalesce(held.until, '-infinity') then
      tier.points_required - coalesce(total.through, 0) + coalesce((
        select d.through from loyalty_earned_day d
        where d.customer_id = the_customer and d.day < loyalty_counts_from(kept.until + 1, the_months)
        order by d.day desc limit 1), 0)
      else held.missing end
  from (
    select t.id, t.points_required from loyalty_tier t
    where t.programme_id = the_version
      and t.points_required <= loyalty_status_points(the_customer, the_version, the_months, today)
    order by t.points_required desc limit 1
  ) tier
  left join lateral (
    select through from loyalty_earned_day
    where customer_id = the_customer and day <= today order by day desc limit 1
  ) total on true
  left join lateral (
    -- The first day whose points, once out of the window, leave too few for the tier.
    select (d.day + make_interval(months => the_months))::date as until,
      tier.points_required - (total.through - d.through) as missing
    from loyalty_earned_day d
    where d.customer_id = the_customer and d.through > total.through - tier.points_required
      and tier.points_required <= loyalty_earned(the_customer, the_months, today)
    order by d.through limit 1
  ) held on true
  left join lateral (
    select k.until from loyalty_kept_status(the_customer, the_version, today) k
    where k.points_required = tier.points_required and tier.points_required > 0
  ) kept on true
$$;

-- What a till may know of a member: name, points, debt, pending points, whether they are blocked, whether today is their
-- birthday, and the tier of a sale's day with the rule of earning of its moment: rate, when the points arrive, and which
-- sales are reviewed. Before joining the tier is the lowest. Null when the
-- customer is no member. Called by shop_member and shop_sale_facts.
create or replace function shop_member_at(
  the_customer bigint, sold_at timestamptz, moment timestamptz
) returns jsonb
  language sql stable
  return (
    select jsonb_build_object(
      'id', a.customer_id, 'firstname', c.firstname, 'lastname', c.lastname, 'language', c.language,
      'blocked', c.blocked_at is not null,
      'programmeId', a.programme_id,
      'available', a.balance - coalesce((
        select sum(remaining) from loyalty_lot l
        where l.customer_id = a.customer_id and l.remaining > 0 and l.expires_at <= moment), 0)
        + (pending ->> 'due')::integer,
      'debt', loyalty_debt_of(a.customer_id),
      'pending', pending,
      -- In other years than leap years, 29 February is 28 February.
      'birthdayToday', coalesce(club_day(moment) = (c.birthday + make_interval(years =>
        (extract(year from club_day(moment)) - extract(year from c.birthday))::integer))::date, false),
      'pointsPerEuro', p.points_per_euro,
      'arrivesAt', club_day_start(club_day(sold_at) + p.pending_days),
      'reviewAmountCents', p.review_amount_cents,
      'reviewPerDay', p.review_per_day,
      'tier', (
        select jsonb_build_object('id', t.id, 'name', t.name, 'multiplierHundredths', t.multiplier_hundredths)
        from loyalty_tier t
        where t.programme_id = p.id and t.points_required <= case
          when club_day(sold_at) < club_day(a.member_since) then 0
          else loyalty_status_points(a.customer_id, p.id, p.tier_months, club_day(sold_at)) end
        order by t.points_required desc limit 1))
    from loyalty_account a
    join customer c on c.id = a.customer_id
    cross join lateral loyalty_programme_at(a.programme_id, sold_at) p
    -- OFFSET 0: computed once.
    cross join lateral (select loyalty_pending_of(a.customer_id, moment) as pending offset 0) soon
    where a.customer_id = the_customer and a.state = 'active');

-- The tier of an account today. Called by webhook_account and webhook_status.
create or replace function webhook_tier(the_customer bigint) returns integer
  language sql stable
  return (
    select t.id from loyalty_account a
    cross join lateral loyalty_programme_at(a.programme_id, now()) p
    join loyalty_tier t on t.programme_id = p.id
      and t.points_required <= loyalty_status_points(a.customer_id, p.id, p.tier_months, club_day(now()))
    where a.customer_id = the_customer
    order by t.points_required desc limit 1);

-- Trigger function: points outstanding, by the month in which they lapse and the tier in which they were earned: that of
-- their day, without them, which is written with the lot. It runs before the day's points are added.
-- Called by the triggers loyalty_lot_counts and loyalty_lot_changes on loyalty_lot.
create or replace function figure_lot() returns trigger language plpgsql as $$
declare
  change integer := new.remaining - case when tg_op = 'UPDATE' then old.remaining else 0 end;
begin
  if tg_op = 'INSERT' then
    select t.id into new.tier_id from loyalty_entry e
    join loyalty_account a on a.customer_id = e.customer_id
    cross join lateral loyalty_programme_at(a.programme_id, e.at) p
    join loyalty_tier t on t.programme_id = p.id
      and t.points_required <= loyalty_status_points(e.customer_id, p.id, p.tier_months, club_day(e.at))
    where e.customer_id = new.customer_id and e.id = new.entry_id
    order by t.points_required desc limit 1;
  end if;
  if change <> 0 then
    insert into figure_delta (day, figure, part, count, amount)
    values (date_trunc('month', club_day(new.expires_at)::timestamp)::date, 'outstanding', coalesce(new.tier_id, 0), 0, change);
  end if;
  return new;
end $$;
