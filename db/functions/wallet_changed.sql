-- Trigger function: points, the membership or the card number changed, so the wallet passes are updated by a job of the same
-- transaction. Called by the triggers loyalty_entry_reaches_wallet on loyalty_entry and loyalty_account_reaches_wallet
-- on loyalty_account.
create or replace function wallet_changed() returns trigger language plpgsql as $$
begin
  perform queue_wallet(new.customer_id);
  return null;
end $$;
