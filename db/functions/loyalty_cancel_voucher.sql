-- Cancels an unused voucher that was bought with points, and gives the points back. A job sends the email that says why.
-- The caller holds the account's lock. Called by loyalty_cancel_vouchers and loyalty_cancel_released.
create or replace function loyalty_cancel_voucher(the_voucher loyalty_voucher, moment timestamptz) returns void
language plpgsql as $$
declare
  written bigint;
begin
  written := loyalty_refill(the_voucher.customer_id, the_voucher.id, the_voucher.points, 'cancel:' || the_voucher.code,
    the_voucher.reward_id, moment);
  insert into loyalty_voucher_cancel as c (code, customer_id, marked_at, cancelled_at, entry_id)
  values (the_voucher.code, the_voucher.customer_id, moment, moment, written)
  on conflict (code) do update set cancelled_at = excluded.cancelled_at, entry_id = excluded.entry_id;
  delete from loyalty_voucher_hold h where h.code = the_voucher.code;
  perform graphile_worker.add_job('loyalty:voucher-cancelled', json_build_object(
    'customerId', the_voucher.customer_id, 'voucherId', the_voucher.id));
end $$;
