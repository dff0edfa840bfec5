-- Two accounts of one person become one. The other's ledger is closed with one entry. The survivor's receives its credits
-- with their dates, what is left of each, what lapsed and what returns took back, and what was spent in one sum; so a
-- later return finds its purchase, under the same cause; these are marked as copied, for the figures. Debts are added and
-- settled. Of a welcome gift or an event that both have had, the later one is taken back (gift_taken). Card and receipts belong to the survivor; the status counts both. Vouchers are not moved: see
-- loyalty_merge_voucher, which is called before this. Outcomes: done; not_a_member (the survivor is none).
-- Called by src/loyalty/ledger/merge.server.ts.
create or replace function loyalty_merge(
  the_other bigint, the_survivor bigint, the_spent_label jsonb, the_gift_label jsonb, moment timestamptz,
  out outcome text, out moved integer, out gift_taken integer, out balance_after integer, out debt_after integer
) language plpgsql as $$
declare
  other loyalty_account;
  survivor loyalty_account;
  credit record;
  lapsed record;
  gift record;
  debt record;
  known boolean;
  copy_id bigint;
  spent integer;
  given_back integer;
  due integer;
begin
  -- In one order: of two merges at once, neither waits for the other.
  perform 1 from customer where id in (the_other, the_survivor) order by id for update;
  perform 1 from loyalty_account where customer_id in (the_other, the_survivor) order by customer_id for update;
  update customer_merge set into_id = the_survivor where into_id = the_other;
  insert into customer_merge (customer_id, into_id, at) values (the_other, the_survivor, moment);
  moved := 0;
  gift_taken := 0;
  outcome := 'done';
  select * into other from loyalty_account where customer_id = the_other;
  if not found then
    return;
  end if;
  select * into survivor from loyalty_account where customer_id = the_survivor;
  if not found or survivor.state <> 'active' then
    outcome := 'not_a_member';
    return;
  end if;
  moved := other.balance - loyalty_expire(the_other, moment);
  balance_after := survivor.balance - loyalty_expire(the_survivor, moment);

  for credit in
    select e.*, l.remaining from loyalty_entry e
    join loyalty_lot l on l.customer_id = e.customer_id and l.entry_id = e.id
    where e.customer_id = the_other and e.points > 0 order by e.id
  loop
    -- Both may have had the welcome gift or the same event: judged below.
    known := credit.kind = 'welcome' or exists (
      select from loyalty_entry e where e.customer_id = the_survivor and e.cause = credit.cause);
    balance_after := balance_after + credit.points;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at, copied)
    values (the_survivor, credit.at,
      case when known and credit.kind in ('welcome', 'event') then 'adjust' else credit.kind end,
      credit.points, balance_after,
      case when known then 'merged:' || the_other || ':' || credit.cause else credit.cause end,
      credit.label, credit.expires_at, true)
    returning id into copy_id;
    insert into loyalty_lot (customer_id, entry_id, expires_at, remaining)
    values (the_survivor, copy_id, credit.expires_at, credit.remaining);
    insert into loyalty_claw_back (customer_id, cause, purchase_id, at, points, taken, lapsed, owed)
    select the_survivor, c.cause, copy_id, c.at, c.points, c.taken, c.lapsed, c.owed
    from loyalty_claw_back c where c.customer_id = the_other and c.purchase_id = credit.id;
    select e.at, e.points into lapsed from loyalty_entry e
    where e.customer_id = the_other and e.cause = 'expiry:' || credit.id;
    if found then
      balance_after := balance_after + lapsed.points;
      insert into loyalty_entry (customer_id, at, kind, points, balance, cause, copied)
      values (the_survivor, lapsed.at, 'expiry', lapsed.points, balance_after, 'expiry:' || copy_id, true);
    end if;
  end loop;
  select coalesce(-sum(points) filter (where kind in ('reward', 'adjust')), 0),
    coalesce(-sum(points) filter (where kind in ('return', 'settle')), 0)
  into spent, given_back from loyalty_entry where customer_id = the_other and points < 0;
  if spent > 0 then
    balance_after := balance_after - spent;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, copied)
    values (the_survivor, moment, 'adjust', -spent, balance_after, 'merged:' || the_other || ':spent', the_spent_label,
      true);
  end if;
  if given_back > 0 then
    balance_after := balance_after - given_back;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, copied)
    values (the_survivor, moment, 'settle', -given_back, balance_after, 'merged:' || the_other || ':returned',
      the_spent_label, true);
  end if;
  insert into loyalty_earned_day as d (customer_id, day, points, through)
  select the_survivor, o.day, o.points, 0 from loyalty_earned_day o where o.customer_id = the_other
  on conflict (customer_id, day) do update set points = d.points + excluded.points;
  update loyalty_earned_day d set through = total.through
  from (select day, sum(points) over (order by day) as through from loyalty_earned_day
        where customer_id = the_survivor) total
  where d.customer_id = the_survivor and d.day = total.day and d.through <> total.through;
  insert into loyalty_debt (customer_id, cause, owed_at, points, remaining, waived)
  select the_survivor, o.cause, o.owed_at, o.points, o.remaining, o.waived
  from loyalty_debt o where o.customer_id = the_other;
  update shop_sale s set customer_id = the_survivor, entry_id = (
    select copied.id from loyalty_entry e
    join loyalty_entry copied on copied.customer_id = the_survivor and copied.cause = e.cause
    where e.customer_id = the_other and e.id = s.entry_id)
  where s.customer_id = the_other;
  update loyalty_card set customer_id = the_survivor where customer_id = the_other;
  update loyalty_account set balance = balance_after, member_since = least(member_since, other.member_since)
  where customer_id = the_survivor;

  if moved > 0 then
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, copied)
    values (the_other, moment, 'adjust', -moved, 0, 'merged:into:' || the_survivor, true);
    update loyalty_lot set remaining = 0 where customer_id = the_other and remaining > 0;
  end if;
  update loyalty_debt set waived = waived + remaining, remaining = 0 where customer_id = the_other and remaining > 0;
  update loyalty_account set state = 'erased', card_number = null, balance = 0 where customer_id = the_other;

  for gift in
    select given.id, given.points from (
      select e.id, e.at, e.points,
        row_number() over (partition by regexp_replace(e.cause, '^(merged:[0-9]+:)+', '') order by e.at, e.id) as nth
      from loyalty_entry e
      where e.customer_id = the_survivor and e.points > 0 and e.cause ~ '^(merged:[0-9]+:)*(welcome$|event:)'
        and not exists (
          select from loyalty_claw_back c where c.customer_id = the_survivor and c.purchase_id = e.id)) given
    where given.nth > 1 order by given.at, given.id
  loop
    perform loyalty_claw_back(the_survivor, gift.id, gift.points, 'merged:' || the_other || ':gift:' || gift.id,
      the_gift_label, moment);
    gift_taken := gift_taken + gift.points;
  end loop;

  debt_after := loyalty_debt_of(the_survivor);
  select a.balance into balance_after from loyalty_account a where a.customer_id = the_survivor;
  due := least(debt_after, balance_after);
  if due = 0 then
    return;
  end if;
  perform loyalty_move(the_survivor, -due, 'settle', 'settle:merged:' || the_other, '{}', moment, moment);
  balance_after := balance_after - due;
  debt_after := debt_after - due;
  for debt in
    select d.id, d.remaining from loyalty_debt d
    where d.customer_id = the_survivor and d.remaining > 0 order by d.owed_at, d.id
  loop
    update loyalty_debt d set remaining = d.remaining - least(d.remaining, due)
    where d.customer_id = the_survivor and d.id = debt.id;
    due := due - least(debt.remaining, due);
    exit when due = 0;
  end loop;
end $$;
