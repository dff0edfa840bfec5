-- Trigger function: status.changed, when the tier is another than the one that was told last. It runs at the end of the
-- transaction, so that an exchange, which credits and takes back, is compared once. A status that lapsed by the calendar
-- is told with the next movement. Called by the triggers loyalty_earned_day_begins and loyalty_earned_day_moves on
-- loyalty_earned_day.
create or replace function webhook_status() returns trigger language plpgsql as $$
declare
  the_customer bigint := coalesce(new.customer_id, old.customer_id);
  tier integer := webhook_tier(the_customer);
  told integer;
begin
  select c.tier_id into told from webhook_customer c where c.customer_id = the_customer for update;
  if tier is not distinct from told then
    return null;
  end if;
  perform webhook_write('status.changed', the_customer, null,
    jsonb_build_object('IdCustomer', the_customer, 'IdLoyaltyTier', tier, 'PreviousIdLoyaltyTier', told));
  update webhook_customer set tier_id = tier where customer_id = the_customer;
  return null;
end $$;
