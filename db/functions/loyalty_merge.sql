-- Two accounts of one person become one. The other's ledger is closed with one entry. The survivor's receives its credits
-- with their dates, what is left of each, what lapsed and what returns took back, and what was spent in one sum; so a
-- later return finds its purchase, under the same cause; these are marked as copied, for the metrics. Pending points move
-- with their day. Debts are added and settled, if need be by cancelling unused vouchers. Of a welcome gift or an event that
-- both have had, the later one is taken back (gift_taken). Card and receipts belong to the survivor; the status counts
-- both. Vouchers are not moved: see loyalty_merge_voucher, which is called before this. Outcomes: done; not_a_member (the survivor is none).
-- Called by src/loyalty/ledger/merge/merge.server.ts.
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
  known boolean;
  copy_id bigint;
  spent integer;
  given_back integer;
begin
  -- In one order: of two merges at once, neither waits for the other.
  perform 1 from customer where id in (the_other, the_survivor) order by id for update;
  perform 1 from loyalty_account where customer_id in (the_other, the_survivor) order by customer_id for update;
  update customer_merge set into_id = the_survivor where into_id = the_other;
  insert into customer_merge (customer_id, into_id, at) values (the_other, the_survivor, moment);
  update former_subject set customer_id = the_survivor where customer_id = the_other;
  insert into former_subject (subject, customer_id) select subject, the_survivor from customer where id = the_other;
  perform webhook_write('member.merged', the_survivor, null, jsonb_build_object(
    'IdCustomer', the_survivor, 'IdOther', (select subject from customer where id = the_other),
    'Subject', (select subject from customer where id = the_survivor),
    'OtherSubject', (select subject from customer where id = the_other)));
  moved := 0;
  gift_taken := 0;
  outcome := 'done';
  balance_after := loyalty_refresh(the_survivor, moment);
  debt_after := loyalty_debt_of(the_survivor);
  select * into other from loyalty_account where customer_id = the_other;
  if not found then
    return;
  end if;
  select * into survivor from loyalty_account where customer_id = the_survivor;
  if not found or survivor.state <> 'active' then
    outcome := 'not_a_member';
    return;
  end if;
  moved := loyalty_refresh(the_other, moment);

  for credit in
    select e.*, l.remaining from loyalty_entry e
    join loyalty_lot l on l.customer_id = e.customer_id and l.entry_id = e.id
    where e.customer_id = the_other and e.points > 0 order by e.id
  loop
    -- Both may have had the welcome gift or the same event: judged below.
    known := credit.kind = 'welcome' or exists (
      select from loyalty_entry e where e.customer_id = the_survivor and e.cause = credit.cause);
    balance_after := balance_after + credit.points;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at, copied, recorded_at)
    values (the_survivor, credit.at,
      case when known and credit.kind in ('welcome', 'event') then 'adjust' else credit.kind end,
      credit.points, balance_after,
      case when known then 'merged:' || the_other || ':' || credit.cause else credit.cause end,
      credit.label, credit.expires_at, true, moment)
    returning id into copy_id;
    insert into loyalty_lot (customer_id, entry_id, expires_at, remaining)
    values (the_survivor, copy_id, credit.expires_at, credit.remaining);
    insert into loyalty_claw_back
      (customer_id, cause, purchase, purchase_id, counted_on, at, points, pending, exchanged, taken, lapsed, owed,
      recorded_at, copied)
    select the_survivor, c.cause, case when known then 'merged:' || the_other || ':' || c.purchase else c.purchase end,
      copy_id, c.counted_on, c.at, c.points, c.pending, c.exchanged, c.taken, c.lapsed, c.owed, c.recorded_at, true
    from loyalty_claw_back c where c.customer_id = the_other and c.purchase_id = credit.id;
    insert into loyalty_lot_use (customer_id, entry_id, lot_id, points)
    select the_survivor, u.entry_id, copy_id, u.points from loyalty_lot_use u
    where u.customer_id = the_other and u.lot_id = credit.id;
    select max(e.at) as at, sum(e.points)::integer as points into lapsed from loyalty_entry e
    where e.customer_id = the_other and e.kind = 'expiry'
      and (e.cause = 'expiry:' || credit.id or e.cause like 'expiry:' || credit.id || ':%');
    if lapsed.points is not null then
      balance_after := balance_after + lapsed.points;
      insert into loyalty_entry (customer_id, at, kind, points, balance, cause, copied, recorded_at)
      values (the_survivor, lapsed.at, 'expiry', lapsed.points, balance_after, 'expiry:' || copy_id, true, moment);
    end if;
  end loop;
  select coalesce(-sum(points) filter (where kind in ('reward', 'cancel') or kind in ('adjust', 'import') and points < 0), 0),
    coalesce(-sum(points) filter (where kind in ('return', 'settle', 'undo')), 0)
  into spent, given_back from loyalty_entry where customer_id = the_other;
  if spent > 0 then
    balance_after := balance_after - spent;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, copied, recorded_at)
    values (the_survivor, moment, 'adjust', -spent, balance_after, 'merged:' || the_other || ':spent', the_spent_label,
      true, moment);
  end if;
  if given_back > 0 then
    balance_after := balance_after - given_back;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, copied, recorded_at)
    values (the_survivor, moment, 'settle', -given_back, balance_after, 'merged:' || the_other || ':returned',
      the_spent_label, true, moment);
  end if;
  -- The lots of the vouchers that loyalty_merge_voucher has issued again.
  insert into loyalty_lot_use (customer_id, entry_id, lot_id, points)
  select the_survivor, e.id, u.lot_id, u.points from loyalty_voucher v
  join loyalty_entry e on e.customer_id = the_survivor and e.cause = 'reissue:' || v.code and e.copied
  join loyalty_lot_use u on u.customer_id = the_survivor and u.entry_id = v.id
  where v.customer_id = the_other;
  -- What was taken back while it was pending.
  insert into loyalty_claw_back
    (customer_id, cause, purchase, purchase_id, counted_on, at, points, pending, exchanged, taken, lapsed, owed,
    recorded_at, copied)
  select the_survivor, c.cause, c.purchase, null, c.counted_on, c.at, c.points, c.pending, c.exchanged, c.taken, c.lapsed, c.owed,
    c.recorded_at, true
  from loyalty_claw_back c where c.customer_id = the_other and c.purchase_id is null;
  update loyalty_pending p set customer_id = the_survivor, entry_id = (
    select copied.id from loyalty_entry copied where copied.customer_id = the_survivor and copied.cause = p.cause)
  where p.customer_id = the_other;
  insert into loyalty_earned_day as d (customer_id, day, points, through)
  select the_survivor, o.day, o.points, 0 from loyalty_earned_day o where o.customer_id = the_other
  on conflict (customer_id, day) do update set points = d.points + excluded.points;
  update loyalty_earned_day d set through = total.through
  from (select day, sum(points) over (order by day) as through from loyalty_earned_day
        where customer_id = the_survivor) total
  where d.customer_id = the_survivor and d.day = total.day and d.through <> total.through;
  insert into loyalty_import_day as d (customer_id, day, points)
  select the_survivor, o.day, o.points from loyalty_import_day o where o.customer_id = the_other
  on conflict (customer_id, day) do update set points = d.points + excluded.points;
  insert into loyalty_status_floor as f (customer_id, rank, until)
  select the_survivor, o.rank, o.until from loyalty_status_floor o where o.customer_id = the_other
  on conflict (customer_id) do update set rank = excluded.rank, until = excluded.until
    where (excluded.rank, excluded.until) > (f.rank, f.until);
  update loyalty_import_history set customer_id = the_survivor where customer_id = the_other;
  insert into loyalty_debt (customer_id, cause, owed_at, points, remaining, waived)
  select the_survivor, o.cause, o.owed_at, o.points, o.remaining, o.waived
  from loyalty_debt o where o.customer_id = the_other;
  update shop_sale s set customer_id = the_survivor, entry_id = (
    select copied.id from loyalty_entry e
    join loyalty_entry copied on copied.customer_id = the_survivor and copied.cause = e.cause
    where e.customer_id = the_other and e.id = s.entry_id)
  where s.customer_id = the_other;
  -- A recommended friend is new, so of two accounts of one person only the one that joined first can be: what the later one
  -- has brought is taken back by the job, and so is what one of them has brought the other. The survivor has both links.
  update loyalty_referral set state = case state when 'waiting' then 'refused' else 'revoked' end
  where state in ('waiting', 'credited') and (
    customer_id = case when other.member_since < survivor.member_since then the_survivor else the_other end
    or customer_id in (the_other, the_survivor) and member_id in (the_other, the_survivor));
  update loyalty_referral set customer_id = the_survivor where customer_id = the_other;
  update loyalty_referral set member_id = the_survivor where member_id = the_other;
  update loyalty_card set customer_id = the_survivor where customer_id = the_other;
  update loyalty_account set balance = balance_after, member_since = least(member_since, other.member_since)
  where customer_id = the_survivor;

  if moved > 0 then
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, copied, recorded_at)
    values (the_other, moment, 'adjust', -moved, 0, 'merged:into:' || the_survivor, true, moment);
    update loyalty_lot set remaining = 0 where customer_id = the_other and remaining > 0;
  end if;
  update loyalty_debt set waived = waived + remaining, remaining = 0 where customer_id = the_other and remaining > 0;
  update loyalty_account set state = 'erased', card_number = null, balance = 0, erased_at = loyalty_booked_at(moment)
  where customer_id = the_other;

  for gift in
    select given.id, given.points, given.cause from (
      select e.id, e.at, e.points, e.cause,
        row_number() over (partition by regexp_replace(e.cause, '^(merged:[0-9]+:)+', '') order by e.at, e.id) as nth
      from loyalty_entry e
      where e.customer_id = the_survivor and e.points > 0 and e.cause ~ '^(merged:[0-9]+:)*(welcome$|event:)'
        and not exists (
          select from loyalty_claw_back c where c.customer_id = the_survivor and c.purchase_id = e.id)) given
    where given.nth > 1 order by given.at, given.id
  loop
    perform loyalty_claw_back(the_survivor, gift.cause, gift.points, 'merged:' || the_other || ':gift:' || gift.id,
      the_gift_label, moment, null);
    gift_taken := gift_taken + gift.points;
  end loop;

  debt_after := loyalty_debt_of(the_survivor);
  if debt_after > 0 then
    perform loyalty_cancel_vouchers(the_survivor, debt_after, moment);
    debt_after := loyalty_settle(the_survivor, 'settle:merged:' || the_other, moment);
  end if;
  select a.balance into balance_after from loyalty_account a where a.customer_id = the_survivor;
end $$;
