-- Trigger function: the name or the language of a customer changed, both of which a wallet pass shows.
-- Called by the trigger customer_reaches_wallet on customer.
create or replace function wallet_holder_changed() returns trigger language plpgsql as $$
begin
  perform queue_wallet(new.id);
  return null;
end $$;
