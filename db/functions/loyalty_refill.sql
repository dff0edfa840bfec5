-- Gives the points of a voucher back to the lots that paid for it, as an entry that counts for no status; lots that have
-- lapsed since lapse at once. Then it settles debt. The caller holds the account's lock. Returns the entry.
-- Called by loyalty_cancel_voucher and loyalty_reissue.
create or replace function loyalty_refill(
  the_customer bigint, the_voucher bigint, the_points integer, the_cause text, the_reward integer, moment timestamptz
) returns bigint language plpgsql as $$
declare
  new_balance integer;
  written bigint;
begin
  update loyalty_account a set balance = a.balance + the_points where a.customer_id = the_customer
  returning a.balance into new_balance;
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, recorded_at)
  values (the_customer, moment, 'cancel', the_points, new_balance, the_cause, jsonb_build_object('reward', the_reward), moment)
  returning id into written;
  update loyalty_lot l set remaining = l.remaining + u.points
  from loyalty_lot_use u
  where u.customer_id = the_customer and u.entry_id = the_voucher
    and l.customer_id = u.customer_id and l.entry_id = u.lot_id;
  perform loyalty_expire(the_customer, moment);
  perform loyalty_settle(the_customer, 'settle:' || written, moment);
  return written;
end $$;
