-- The back office: what a person decides about receipts that wait for one, and endpoints that choose events or pause.

-- A return that does not fit or has no sale, points that wait, a till's clock: each is decided once.
create table shop_decision (
  shop_id integer not null,
  number text not null,
  subject text not null check (subject in ('return', 'exchange', 'points', 'clock')),
  outcome text not null
    check (outcome in ('applied', 'attached', 'dismissed', 'released', 'refused', 'confirmed', 'corrected')),
  decided_at timestamptz not null,
  staff_id integer not null references staff,
  primary key (shop_id, number, subject),
  foreign key (shop_id, number) references shop_receipt
);

-- Null: every event.
alter table webhook_endpoint add column events text[];
-- While it is paused, events wait for it and none is sent.
alter table webhook_endpoint add column paused_at timestamptz;

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
