-- Moves points, for credits and debits: an entry, its lots and the balance. It locks the customer, then the account,
-- before it looks at anything else, in statements of their own: inside one statement the rest would still see what was
-- there before the lock was granted. Outcomes: done; repeated (this cause has moved points before: idempotent); short
-- (not enough points); not_a_member. Called by src/loyalty/ledger/ledger.server.ts, loyalty_credit, loyalty_obtain and
-- loyalty_merge.
create or replace function loyalty_move(
  the_customer bigint, the_points integer, the_kind text, the_cause text, the_label jsonb,
  earned_at timestamptz, moment timestamptz,
  out outcome text, out entry_id bigint, out balance_after integer, out earned_before integer, out earned_after integer
) language plpgsql as $$
declare
  account loyalty_account;
  valid_months integer;
  tier_months integer;
  lot record;
  due integer;
  lapses_at timestamptz;
begin
  perform 1 from customer where id = the_customer for no key update;
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state <> 'active' then
    outcome := 'not_a_member';
    return;
  end if;
  -- The nightly job may be late: what has lapsed can be neither spent nor left in the balance.
  balance_after := account.balance - loyalty_expire(the_customer, moment);

  select id into entry_id from loyalty_entry where customer_id = the_customer and cause = the_cause;
  if found then
    outcome := 'repeated';
    return;
  end if;
  if balance_after + the_points < 0 then
    outcome := 'short';
    return;
  end if;
  balance_after := balance_after + the_points;
  outcome := 'done';

  if the_points < 0 then
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
    values (the_customer, moment, the_kind, the_points, balance_after, the_cause, the_label)
    returning id into entry_id;
    due := -the_points;
    for lot in
      select l.entry_id as id, l.remaining from loyalty_lot l
      where l.customer_id = the_customer and l.remaining > 0
      order by l.expires_at, l.entry_id
    loop
      update loyalty_lot l set remaining = l.remaining - least(l.remaining, due)
      where l.customer_id = the_customer and l.entry_id = lot.id;
      due := due - least(lot.remaining, due);
      exit when due = 0;
    end loop;
  else
    -- Points last as the version in force when they were earned says; the status is today's.
    select p.points_valid_months into valid_months from loyalty_programme_at(account.programme_id, earned_at) p;
    select p.tier_months into tier_months from loyalty_programme_at(account.programme_id, moment) p;
    lapses_at := club_day_end((club_day(earned_at) + make_interval(months => valid_months))::date);
    earned_before := loyalty_earned(the_customer, tier_months, club_day(moment));
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at)
    values (the_customer, earned_at, the_kind, the_points, balance_after, the_cause, the_label, lapses_at)
    returning id into entry_id;
    insert into loyalty_lot (customer_id, entry_id, expires_at, remaining)
    values (the_customer, loyalty_move.entry_id, lapses_at, the_points);
    insert into loyalty_earned_day as earned (customer_id, day, points, through)
    values (the_customer, club_day(earned_at), the_points, the_points + coalesce((
      select through from loyalty_earned_day
      where customer_id = the_customer and day < club_day(earned_at) order by day desc limit 1), 0))
    on conflict (customer_id, day) do update
      set points = earned.points + the_points, through = earned.through + the_points;
    -- Points written down late count in the totals of the days since.
    update loyalty_earned_day set through = through + the_points
    where customer_id = the_customer and day > club_day(earned_at);
    earned_after := loyalty_earned(the_customer, tier_months, club_day(moment));
  end if;
  update loyalty_account set balance = balance_after where customer_id = the_customer;
end $$;
