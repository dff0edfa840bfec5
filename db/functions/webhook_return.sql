-- Trigger function: purchase.returned, when a return becomes applied, and purchase.return_undone. It runs at the end of the transaction: a return that
-- waited is applied a moment before its sale is written. Called by the triggers shop_return_applied,
-- shop_return_becomes_applied and shop_return_undone on shop_return.
create or replace function webhook_return() returns trigger language plpgsql as $$
declare
  the_customer bigint;
begin
  select s.customer_id into the_customer from shop_sale s
  where s.shop_id = new.sale_shop_id and s.number = new.sale_number;
  perform webhook_write(
    case new.state when 'undone' then 'purchase.return_undone' else 'purchase.returned' end, the_customer, new.shop_id,
    jsonb_build_object(
      'IdShop', new.shop_id, 'ReceiptNumber', new.number, 'Kind', new.kind, 'OriginalIdShop', new.sale_shop_id,
      'OriginalReceiptNumber', new.sale_number, 'IdCustomer', the_customer, 'ReturnedAt', webhook_time(new.returned_at),
      'Refund', webhook_amount(coalesce((
        select sum((refund ->> 'cents')::bigint)::bigint from jsonb_array_elements(new.refunds) refund), 0)),
      'Taken', new.taken, 'Debt', new.debt));
  return null;
end $$;
