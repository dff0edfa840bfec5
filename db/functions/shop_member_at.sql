-- What a till may know of a member: public id, name, points, debt, pending points, whether they are blocked, whether today is their
-- birthday, and the tier of a sale's day with the rule of earning of its moment: rate, when the points arrive, and which
-- sales are reviewed. Before joining the tier is the lowest. Null when the
-- customer is no member. Called by shop_member and shop_sale_facts.
create or replace function shop_member_at(
  the_customer bigint, sold_at timestamptz, pending_from timestamptz, moment timestamptz
) returns jsonb
  language sql stable
  return (
    select jsonb_build_object(
      'id', a.customer_id, 'publicId', c.subject, 'firstname', c.firstname, 'lastname', c.lastname, 'language', c.language,
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
      'arrivesAt', club_day_start(club_day(pending_from) + p.pending_days),
      'reviewAmountCents', p.review_amount_cents,
      'reviewPerDay', p.review_per_day,
      'tier', (
        select jsonb_build_object('id', t.id, 'name', t.name, 'multiplierHundredths', t.multiplier_hundredths)
        from loyalty_tier_for(p.id, case
          when club_day(sold_at) < club_day(a.member_since) then 0
          else loyalty_status_points(a.customer_id, p.id, p.tier_months, club_day(sold_at)) end) t))
    from loyalty_account a
    join customer c on c.id = a.customer_id
    cross join lateral loyalty_programme_at(a.programme_id, sold_at) p
    -- OFFSET 0: computed once.
    cross join lateral (select loyalty_pending_of(a.customer_id, moment) as pending offset 0) soon
    where a.customer_id = the_customer and a.state = 'active');
