-- Trigger function: purchase.posted. Called by the trigger shop_sale_tells on shop_sale.
create or replace function webhook_sale() returns trigger language plpgsql as $$
begin
  perform webhook_write('purchase.posted', new.customer_id, new.shop_id,
    jsonb_build_object(
      'IdShop', new.shop_id, 'ReceiptNumber', new.number, 'IdCustomer', new.customer_id,
      'SoldAt', webhook_time(new.sold_at),
      'Paid', webhook_amount((select sum((line ->> 'paidCents')::bigint)::bigint from jsonb_array_elements(new.lines) line)),
      'VoucherAmount', webhook_amount(coalesce((
        select sum((used ->> 'takenCents')::bigint)::bigint from jsonb_array_elements(new.vouchers) used), 0)),
      'LostVoucherAmount', webhook_amount(coalesce((
        select sum((lost ->> 'takenCents')::bigint)::bigint from jsonb_array_elements(new.lost_vouchers) lost), 0)),
      'Earned', new.earned, 'Waiting', new.waiting));
  return null;
end $$;
