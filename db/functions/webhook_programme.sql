-- Trigger function: programme.changed, once in a transaction for each programme. Called by the triggers programme_tells on
-- loyalty_programme, loyalty_tier, loyalty_reward and loyalty_event.
create or replace function webhook_programme() returns trigger language plpgsql as $$
declare
  changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
  told jsonb := jsonb_build_object('IdLoyaltyProgram', coalesce(changed -> 'programme_id', changed -> 'id'));
begin
  if tg_op = 'UPDATE' and to_jsonb(old) = to_jsonb(new) then
    return null;
  end if;
  if not exists (
    select from webhook_event e
    where e.type = 'programme.changed' and e.xid = pg_current_xact_id() and e.payload = told) then
    perform webhook_write('programme.changed', null, null, told);
  end if;
  return null;
end $$;
