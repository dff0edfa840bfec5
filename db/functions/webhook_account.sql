-- Trigger function: member.joined, member.left, member.erased. Called by the triggers loyalty_account_joins and
-- loyalty_account_changes on loyalty_account. An erasure tells the subject, by which a web shop finds what it stored. The tier at joining is stored: webhook_status compares with it.
create or replace function webhook_account() returns trigger language plpgsql as $$
begin
  perform webhook_write(
    case new.state when 'active' then 'member.joined' when 'left' then 'member.left' else 'member.erased' end,
    new.customer_id, null,
    jsonb_build_object('IdCustomer', new.customer_id, 'IdLoyaltyProgram', new.programme_id)
      || case when new.state = 'erased' then jsonb_build_object(
        'Subject', (select subject from customer where id = new.customer_id)) else '{}' end);
  if tg_op = 'INSERT' then
    update webhook_customer set tier_id = webhook_tier(new.customer_id) where customer_id = new.customer_id;
  end if;
  return null;
end $$;
