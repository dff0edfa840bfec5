-- Trigger function: programme.changed, once in a transaction for each version: when it is published, with the moment it
-- begins, and when it is withdrawn before that. Called by the triggers programme_tells on loyalty_programme, loyalty_tier,
-- loyalty_reward and loyalty_event.
create or replace function webhook_programme() returns trigger language plpgsql as $$
declare
  changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
  told jsonb;
begin
  select jsonb_build_object('IdLoyaltyProgram', coalesce(p.version_of, p.id), 'Version', p.version,
    'StartsAt', case when p.withdrawn_at is null then webhook_time(p.starts_at) end)
  into told
  from loyalty_programme p where p.id = coalesce(changed ->> 'programme_id', changed ->> 'id')::integer;
  if not exists (
    select from webhook_event e
    where e.type = 'programme.changed' and e.xid = pg_current_xact_id() and e.payload = told) then
    perform webhook_write('programme.changed', null, null, told);
  end if;
  return null;
end $$;
