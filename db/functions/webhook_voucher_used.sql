-- Trigger function: voucher.used, by a sale, or without one where the voucher's own row says so. Called by the triggers
-- loyalty_voucher_use_tells on loyalty_voucher_use and loyalty_voucher_used on loyalty_voucher.
create or replace function webhook_voucher_used() returns trigger language plpgsql as $$
declare
  used jsonb := to_jsonb(new);
  voucher loyalty_voucher;
begin
  select * into voucher from loyalty_voucher v where v.customer_id = new.customer_id and v.code = new.code;
  perform webhook_write('voucher.used', new.customer_id, (used ->> 'shop_id')::integer,
    jsonb_build_object(
      'IdCustomer', new.customer_id, 'IdCustomerReward', voucher.id, 'UsedAt', webhook_time(new.used_at),
      'Value', webhook_amount(voucher.amount_cents), 'Taken', webhook_amount((used ->> 'taken_cents')::integer),
      'IdShop', (used ->> 'shop_id')::integer, 'ReceiptNumber', used ->> 'receipt_number'));
  return null;
end $$;
