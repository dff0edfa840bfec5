-- The first day whose points still count towards a tier: a day counts until the same day, so many months later, has
-- passed. Where that month is shorter, the subtraction alone would let one day too many in. Called by loyalty_earned,
-- loyalty_arrive, loyalty_status_for and loyalty_statuses; the simulator's copy is countsFrom in loyalty/status/status.ts.
create or replace function loyalty_counts_from(today date, the_months integer) returns date
  language sql immutable parallel safe
  return (today - make_interval(months => the_months))::date
    + case when ((today - make_interval(months => the_months))::date + make_interval(months => the_months))::date < today
      then 1 else 0 end;
