-- Takes back points of a purchase, in full: from the purchase's own lot, then what had lapsed of that lot counts as
-- taken, then from the lots that lapse next. What the balance does not have is owed. The points that count for the tier
-- fall by all of it, on the day of the purchase. Works for who has left the club; an erased customer owes nothing. Where
-- the account has become part of another, the purchase is there, under the same cause, and is taken back there.
-- Outcomes: done; repeated (this cause has taken points before); nobody. Called by src/loyalty/ledger/ledger.server.ts
-- and loyalty_merge.
create or replace function loyalty_claw_back(
  the_customer bigint, the_purchase bigint, the_points integer, the_cause text, the_label jsonb, moment timestamptz,
  out outcome text, out taken integer, out balance_after integer, out debt_after integer
) language plpgsql as $$
declare
  account loyalty_account;
  bought loyalty_entry;
  earlier loyalty_claw_back;
  lot record;
  due integer := the_points;
  had_lapsed integer;
  survivor bigint;
begin
  perform 1 from customer where id = the_customer for no key update;
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state = 'erased' then
    select m.into_id into survivor from customer_merge m where m.customer_id = the_customer;
    if found then
      select e.* into bought from loyalty_entry o
      join loyalty_entry e on e.customer_id = survivor and e.cause = o.cause
      where o.customer_id = the_customer and o.id = the_purchase;
      select c.outcome, c.taken, c.balance_after, c.debt_after into outcome, taken, balance_after, debt_after
      from loyalty_claw_back(survivor, bought.id, the_points, the_cause, the_label, moment) c;
      return;
    end if;
    outcome := 'nobody';
    return;
  end if;
  balance_after := account.balance - loyalty_expire(the_customer, moment);
  select * into earlier from loyalty_claw_back c where c.customer_id = the_customer and c.cause = the_cause;
  if found then
    outcome := 'repeated';
    taken := earlier.taken;
    debt_after := loyalty_debt_of(the_customer);
    return;
  end if;
  select * into bought from loyalty_entry where customer_id = the_customer and id = the_purchase;

  taken := 0;
  -- Its own lot.
  select l.entry_id as id, l.remaining into lot from loyalty_lot l
  where l.customer_id = the_customer and l.entry_id = the_purchase;
  if lot.remaining > 0 then
    taken := least(lot.remaining, due);
    update loyalty_lot l set remaining = l.remaining - loyalty_claw_back.taken
    where l.customer_id = the_customer and l.entry_id = the_purchase;
    due := due - taken;
  end if;
  -- What lapsed of it, unless an earlier return counted that already.
  select least(due, coalesce((
      select -e.points from loyalty_entry e
      where e.customer_id = the_customer and e.cause = 'expiry:' || the_purchase), 0)
    - coalesce((
      select sum(c.lapsed) from loyalty_claw_back c
      where c.customer_id = the_customer and c.purchase_id = the_purchase), 0))
  into had_lapsed;
  due := due - had_lapsed;
  for lot in
    select l.entry_id as id, l.remaining from loyalty_lot l
    where due > 0 and l.customer_id = the_customer and l.remaining > 0
    order by l.expires_at, l.entry_id
  loop
    update loyalty_lot l set remaining = l.remaining - least(l.remaining, due)
    where l.customer_id = the_customer and l.entry_id = lot.id;
    taken := taken + least(lot.remaining, due);
    due := due - least(lot.remaining, due);
    exit when due = 0;
  end loop;

  balance_after := balance_after - taken;
  if taken > 0 then
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
    values (the_customer, moment, 'return', -taken, balance_after, the_cause, the_label);
    update loyalty_account set balance = balance_after where customer_id = the_customer;
  end if;
  insert into loyalty_claw_back (customer_id, cause, purchase_id, at, points, taken, lapsed, owed)
  values (the_customer, the_cause, the_purchase, moment, the_points, loyalty_claw_back.taken, had_lapsed, due);
  if due > 0 then
    insert into loyalty_debt (customer_id, cause, owed_at, points, remaining)
    values (the_customer, the_cause, moment, due, due);
  end if;

  update loyalty_earned_day set through = through - the_points
  where customer_id = the_customer and day >= club_day(bought.at);
  delete from loyalty_earned_day
  where customer_id = the_customer and day = club_day(bought.at) and points = the_points;
  update loyalty_earned_day set points = points - the_points
  where customer_id = the_customer and day = club_day(bought.at);
  debt_after := loyalty_debt_of(the_customer);
  outcome := 'done';
end $$;
