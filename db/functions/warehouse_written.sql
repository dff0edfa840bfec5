-- Trigger function: a row that changes is written anew, for the data export.
-- Called by the triggers loyalty_account_written on loyalty_account, loyalty_voucher_written on loyalty_voucher,
-- loyalty_voucher_cancel_written on loyalty_voucher_cancel, shop_sale_written on shop_sale, shop_return_written on
-- shop_return and campaign_written on campaign.
create or replace function warehouse_written() returns trigger language plpgsql as $$
begin
  new.written_in := pg_current_xact_id()::text::bigint;
  return new;
end $$;
