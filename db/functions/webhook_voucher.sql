-- Trigger function: voucher.obtained, or voucher.reissued when a return brought it, which is the event of the shop where
-- the old one was used. Called by the trigger loyalty_voucher_tells on loyalty_voucher.
create or replace function webhook_voucher() returns trigger language plpgsql as $$
declare
  entry loyalty_entry;
  the_shop integer;
begin
  select * into entry from loyalty_entry e where e.customer_id = new.customer_id and e.id = new.id;
  if entry.kind = 'reissue' then
    select u.shop_id into the_shop from loyalty_voucher_use u where u.code = substr(entry.cause, length('reissue:') + 1);
  end if;
  perform webhook_write(
    case when entry.kind = 'reissue' then 'voucher.reissued' else 'voucher.obtained' end, new.customer_id, the_shop,
    jsonb_build_object(
      'IdCustomer', new.customer_id, 'IdCustomerReward', new.id, 'IdLoyaltyReward', new.reward_id, 'Points', -entry.points,
      'Value', webhook_amount(new.amount_cents), 'ExpiresAt', webhook_time(new.expires_at)));
  return null;
end $$;
