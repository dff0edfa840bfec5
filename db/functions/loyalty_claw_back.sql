-- Takes back points of a credit, in full, in this order: from the purchase itself while it is pending; of an exchange from
-- the new purchase while that is pending; what had lapsed of its own lot counts as taken; from its own lot, then from the
-- lots that lapse next. Where the balance does not hold that many, unused vouchers are cancelled first; only what is still
-- missing is owed. The points that count for the tier fall by all of it, on the day of the purchase, if they counted.
-- Works for former members; an erased customer owes nothing. Where the account has become part of another, the purchase is
-- there, under the same cause, and is taken back there.
-- Outcomes: done; repeated (this cause has taken points before); not_found. Called by src/loyalty/ledger/ledger.server.ts
-- and loyalty_merge.
create or replace function loyalty_claw_back(
  the_customer bigint, the_purchase text, the_points integer, the_cause text, the_label jsonb, moment timestamptz,
  the_exchange text,
  out outcome text, out taken integer, out balance_after integer, out debt_after integer, out cancelled jsonb
) language plpgsql as $$
declare
  account loyalty_account;
  bought loyalty_entry;
  waiting loyalty_pending;
  earlier loyalty_claw_back;
  due integer := the_points;
  from_pending integer := 0;
  from_exchange integer := 0;
  from_balance integer := 0;
  had_lapsed integer := 0;
  counted_on date;
  written bigint;
  survivor bigint;
begin
  cancelled := '[]';
  perform 1 from customer where id = the_customer for no key update;
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state = 'erased' then
    select m.into_id into survivor from customer_merge m where m.customer_id = the_customer;
    if found then
      select c.outcome, c.taken, c.balance_after, c.debt_after, c.cancelled
      into outcome, taken, balance_after, debt_after, cancelled
      from loyalty_claw_back(survivor, the_purchase, the_points, the_cause, the_label, moment, the_exchange) c;
      return;
    end if;
    outcome := 'not_found';
    return;
  end if;
  balance_after := loyalty_refresh(the_customer, moment);
  select * into earlier from loyalty_claw_back c where c.customer_id = the_customer and c.cause = the_cause;
  if found then
    outcome := 'repeated';
    taken := earlier.taken + earlier.pending;
    debt_after := loyalty_debt_of(the_customer);
    return;
  end if;

  select * into waiting from loyalty_pending p where p.customer_id = the_customer and p.cause = the_purchase;
  if waiting.cause is not null and waiting.arrived_at is null then
    from_pending := least(waiting.remaining, due);
    due := due - from_pending;
    update loyalty_pending p set remaining = p.remaining - from_pending, counts = p.counts - the_points
    where p.customer_id = the_customer and p.cause = the_purchase;
  else
    select * into bought from loyalty_entry e where e.customer_id = the_customer and e.cause = the_purchase;
    counted_on := club_day(coalesce(bought.at, waiting.sold_at));
  end if;
  if due > 0 and the_exchange is not null then
    select least(p.remaining, due) into from_exchange from loyalty_pending p
    where p.customer_id = the_customer and p.cause = the_exchange and p.arrived_at is null;
    from_exchange := coalesce(from_exchange, 0);
    update loyalty_pending p set remaining = p.remaining - from_exchange
    where p.customer_id = the_customer and p.cause = the_exchange and from_exchange > 0;
    due := due - from_exchange;
  end if;
  -- What lapsed of its own lot, unless an earlier return counted that already.
  if due > 0 and bought.id is not null then
    select least(due, coalesce((
        select -sum(e.points) from loyalty_entry e
        where e.customer_id = the_customer and e.kind = 'expiry'
          and (e.cause = 'expiry:' || bought.id or e.cause like 'expiry:' || bought.id || ':%')), 0)
      - coalesce((
        select sum(c.lapsed) from loyalty_claw_back c
        where c.customer_id = the_customer and c.purchase = the_purchase), 0))
    into had_lapsed;
    due := due - had_lapsed;
  end if;
  if due > balance_after then
    cancelled := loyalty_cancel_vouchers(the_customer, due, moment);
    select a.balance into balance_after from loyalty_account a where a.customer_id = the_customer;
  end if;
  from_balance := least(due, balance_after);
  if from_balance > 0 then
    balance_after := balance_after - from_balance;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, recorded_at)
    values (the_customer, moment, 'return', -from_balance, balance_after, the_cause, the_label, moment)
    returning id into written;
    update loyalty_account set balance = balance_after where customer_id = the_customer;
    perform loyalty_take_lots(the_customer, from_balance, written, bought.id);
    due := due - from_balance;
  end if;
  insert into loyalty_claw_back
    (customer_id, cause, purchase, purchase_id, counted_on, at, points, pending, exchanged, taken, lapsed, owed,
    recorded_at)
  values (the_customer, the_cause, the_purchase, bought.id, counted_on, moment, the_points, from_pending + from_exchange,
    from_exchange, from_balance, had_lapsed, due, moment);
  if due > 0 then
    insert into loyalty_debt (customer_id, cause, owed_at, points, remaining)
    values (the_customer, the_cause, moment, due, due);
  end if;

  if counted_on is not null then
    update loyalty_earned_day set through = through - the_points
    where customer_id = the_customer and day >= counted_on;
    delete from loyalty_earned_day
    where customer_id = the_customer and day = counted_on and points = the_points;
    update loyalty_earned_day set points = points - the_points
    where customer_id = the_customer and day = counted_on;
  end if;
  taken := from_pending + from_exchange + from_balance;
  debt_after := loyalty_debt_of(the_customer);
  outcome := 'done';
end $$;
