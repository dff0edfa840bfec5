-- What a till may know of a member: name, points, debt, whether they are blocked, whether today is their birthday, and
-- the tier of a sale's day with the rule of earning of its moment. Before joining the tier is the lowest. Null when the
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
        where l.customer_id = a.customer_id and l.remaining > 0 and l.expires_at <= moment), 0),
      'debt', loyalty_debt_of(a.customer_id),
      -- In other years than leap years, 29 February is 28 February.
      'birthdayToday', coalesce(club_day(moment) = (c.birthday + make_interval(years =>
        (extract(year from club_day(moment)) - extract(year from c.birthday))::integer))::date, false),
      'pointsPerEuro', p.points_per_euro,
      'tier', (
        select jsonb_build_object('id', t.id, 'name', t.name, 'multiplierHundredths', t.multiplier_hundredths)
        from loyalty_tier t
        where t.programme_id = p.id and t.points_required <= case
          when club_day(sold_at) < club_day(a.member_since) then 0
          else loyalty_earned(a.customer_id, p.tier_months, club_day(sold_at)) end
        order by t.points_required desc limit 1))
    from loyalty_account a
    join customer c on c.id = a.customer_id
    cross join lateral loyalty_programme_at(a.programme_id, sold_at) p
    where a.customer_id = the_customer and a.state = 'active');
