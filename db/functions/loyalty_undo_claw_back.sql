-- Gives back what a return has taken, as if it had not been: to the purchase while it is pending, to the lots from which
-- the points came, of an exchange to the new purchase, to what is owed, and to the points of the day that count for the tier. Only what was taken today is
-- given back, so that nothing has arrived or lapsed since. Returns the points of the return, 0 when it has taken none;
-- null when they have moved on since: its debt was settled, its month locked for closing, or the account erased or merged.
-- Called by src/loyalty/ledger/ledger.server.ts.
create or replace function loyalty_undo_claw_back(
  the_customer bigint, the_cause text, the_label jsonb, moment timestamptz, the_exchange text
) returns integer language plpgsql as $$
declare
  account loyalty_account;
  taking loyalty_claw_back;
  debit bigint;
  written bigint;
begin
  perform 1 from customer where id = the_customer for no key update;
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state = 'erased' then
    return null;
  end if;
  perform loyalty_refresh(the_customer, moment);
  select * into taking from loyalty_claw_back c where c.customer_id = the_customer and c.cause = the_cause;
  if not found then
    return 0;
  end if;
  select e.id into debit from loyalty_entry e where e.customer_id = the_customer and e.cause = the_cause;
  if taking.copied or club_day(taking.at) <> club_day(moment) or loyalty_booked_at(taking.recorded_at) <> taking.recorded_at
     or taking.owed <> coalesce((
       select d.remaining from loyalty_debt d where d.customer_id = the_customer and d.cause = the_cause), 0)
     or taking.taken <> coalesce((
       select sum(u.points) from loyalty_lot_use u where u.customer_id = the_customer and u.entry_id = debit), 0) then
    return null;
  end if;
  if taking.counted_on is not null then
    perform loyalty_add(the_customer, 0, taking.points, 'undo', '', '{}', club_day_start(taking.counted_on), moment);
  else
    update loyalty_pending p set remaining = p.remaining + taking.pending - taking.exchanged,
      counts = p.counts + taking.points
    where p.customer_id = the_customer and p.cause = taking.purchase and p.arrived_at is null;
    if not found then
      return null;
    end if;
  end if;
  if taking.exchanged > 0 then
    update loyalty_pending p set remaining = p.remaining + taking.exchanged
    where p.customer_id = the_customer and p.cause = the_exchange and p.arrived_at is null;
    if not found then
      return null;
    end if;
  end if;
  delete from loyalty_claw_back c where c.customer_id = the_customer and c.cause = the_cause;
  delete from loyalty_debt d where d.customer_id = the_customer and d.cause = the_cause;
  -- Vouchers in hold, which would have been cancelled for it.
  delete from loyalty_voucher_cancel c
  where c.customer_id = the_customer and c.cancelled_at is null and c.marked_at = taking.at;
  if taking.taken > 0 then
    update loyalty_account a set balance = a.balance + taking.taken where a.customer_id = the_customer
    returning * into account;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, recorded_at)
    values (the_customer, moment, 'undo', taking.taken, account.balance, 'undo:' || the_cause, the_label, moment)
    returning id into written;
    update loyalty_lot l set remaining = l.remaining + u.points from loyalty_lot_use u
    where u.customer_id = the_customer and u.entry_id = debit
      and l.customer_id = u.customer_id and l.entry_id = u.lot_id;
    perform loyalty_settle(the_customer, 'settle:' || written, moment);
  end if;
  return taking.points;
end $$;
