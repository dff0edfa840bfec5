-- Opens a delivery of an event to every endpoint that is not disabled and has chosen its type, and queues its job, all in the
-- caller's transaction. A delivery that is there already begins again. Returns how many. Called by webhook_write and by
-- src/shop/webhooks/endpoints.server.ts.
create or replace function webhook_send(the_event bigint) returns integer language plpgsql as $$
declare
  opened record;
  deliveries integer := 0;
begin
  for opened in
    insert into webhook_delivery as d (event_id, endpoint_id)
    select the_event, e.id from webhook_endpoint e
    where e.disabled_at is null and (e.events is null or exists (
      select from webhook_event v where v.id = the_event and v.type = any (e.events)))
    on conflict (event_id, endpoint_id) do update set state = 'waiting', attempts = 0, next_at = now()
    returning d.endpoint_id
  loop
    perform graphile_worker.add_job(
      'shop:webhook', json_build_object('endpoint', opened.endpoint_id), max_attempts => 450);
    deliveries := deliveries + 1;
  end loop;
  return deliveries;
end $$;
