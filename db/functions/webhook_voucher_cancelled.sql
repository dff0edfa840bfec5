-- Trigger function: voucher.cancelled, when its points were needed for a return. Called by the triggers
-- loyalty_voucher_cancel_tells and loyalty_voucher_cancel_done on loyalty_voucher_cancel.
create or replace function webhook_voucher_cancelled() returns trigger language plpgsql as $$
declare
  voucher loyalty_voucher;
begin
  select * into voucher from loyalty_voucher v where v.customer_id = new.customer_id and v.code = new.code;
  perform webhook_write('voucher.cancelled', new.customer_id, null,
    jsonb_build_object(
      'IdCustomer', new.customer_id, 'IdCustomerReward', voucher.id, 'IdLoyaltyReward', voucher.reward_id,
      'Points', voucher.points, 'Value', webhook_amount(voucher.amount_cents),
      'CancelledAt', webhook_time(new.cancelled_at)));
  return null;
end $$;
