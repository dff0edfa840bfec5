-- Moves points, for credits and debits: an entry, its lots and the balance. It locks the customer, then the account,
-- before it looks at anything else, in statements of their own: inside one statement the rest would still see what was
-- there before the lock was granted. Outcomes: done; repeated (this cause has moved points before: idempotent); short
-- (not enough points); not_a_member. Called by src/loyalty/ledger/ledger.server.ts, loyalty_credit and loyalty_obtain.
create or replace function loyalty_move(
  the_customer bigint, the_points integer, the_kind text, the_cause text, the_label jsonb,
  earned_at timestamptz, moment timestamptz,
  out outcome text, out entry_id bigint, out balance_after integer, out earned_before integer, out earned_after integer
) language plpgsql as $$
declare
  account loyalty_account;
  tier_months integer;
begin
  perform 1 from customer where id = the_customer for no key update;
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state <> 'active' then
    outcome := 'not_a_member';
    return;
  end if;
  -- The nightly job may be late: what has lapsed can be neither spent nor left in the balance, and what has arrived counts.
  balance_after := loyalty_refresh(the_customer, moment);

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
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, recorded_at)
    values (the_customer, moment, the_kind, the_points, balance_after, the_cause, the_label, moment)
    returning id into entry_id;
    update loyalty_account set balance = balance_after where customer_id = the_customer;
    perform loyalty_take_lots(the_customer, -the_points, entry_id, null);
  else
    -- The status is today's.
    select p.tier_months into tier_months from loyalty_programme_at(account.programme_id, moment) p;
    earned_before := loyalty_earned(the_customer, tier_months, club_day(moment));
    entry_id := loyalty_add(the_customer, the_points, the_points, the_kind, the_cause, the_label, earned_at, moment);
    earned_after := loyalty_earned(the_customer, tier_months, club_day(moment));
  end if;
end $$;
