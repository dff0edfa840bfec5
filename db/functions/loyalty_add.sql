-- Writes points that a customer earned: entry, lot, balance, and the points of the day that count for the tier. An exchange
-- may have used up points that count, so the two numbers may differ, and nothing may be left to credit. The caller holds
-- the account's lock. Returns the entry, if there is one. Called by loyalty_move,
-- loyalty_arrive and loyalty_undo_claw_back.
create or replace function loyalty_add(
  the_customer bigint, the_points integer, the_counted integer, the_kind text, the_cause text, the_label jsonb,
  earned_at timestamptz, moment timestamptz, the_end timestamptz default null
) returns bigint language plpgsql as $$
declare
  account loyalty_account;
  lapses_at timestamptz;
  written bigint;
begin
  if the_points > 0 then
    update loyalty_account a set balance = a.balance + the_points where a.customer_id = the_customer returning * into account;
    -- Points last as the version in force when they were earned says; those of another club have their own end.
    select coalesce(the_end, club_day_end((club_day(earned_at) + make_interval(months => p.points_valid_months))::date)) into lapses_at
    from loyalty_programme_at(account.programme_id, earned_at) p;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at, recorded_at)
    values (the_customer, earned_at, the_kind, the_points, account.balance, the_cause, the_label, lapses_at, moment)
    returning id into written;
    insert into loyalty_lot (customer_id, entry_id, expires_at, remaining)
    values (the_customer, written, lapses_at, the_points);
  end if;
  if the_counted > 0 then
    insert into loyalty_earned_day as earned (customer_id, day, points, through)
    values (the_customer, club_day(earned_at), the_counted, the_counted + coalesce((
      select through from loyalty_earned_day
      where customer_id = the_customer and day < club_day(earned_at) order by day desc limit 1), 0))
    on conflict (customer_id, day) do update
      set points = earned.points + the_counted, through = earned.through + the_counted;
    -- Points written down late count in the totals of the days since.
    update loyalty_earned_day set through = through + the_counted
    where customer_id = the_customer and day > club_day(earned_at);
  end if;
  return written;
end $$;
