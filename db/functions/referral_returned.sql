-- Trigger function: marks the recommendation whose points a purchase brought, of which something was returned, for the nightly
-- job (readMarked). Called by the trigger shop_return_of_friend on shop_return.
create or replace function referral_returned() returns trigger language plpgsql as $$
begin
  update loyalty_referral set check_since = greatest(check_since, new.returned_at)
  where shop_id = new.sale_shop_id and receipt_number = new.sale_number and state = 'credited';
  return null;
end $$;
