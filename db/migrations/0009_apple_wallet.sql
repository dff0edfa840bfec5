-- Apple's wallet asks for changes itself: a pass has a serial number, a phone registers for it, a push tells it to ask.

create table apple_pass (
  customer_id bigint primary key,
  serial uuid not null default gen_random_uuid(),
  issued_at timestamptz not null,
  -- A digest of what the pass shows, and when that last changed: whole seconds, each later than the one before.
  shown text,
  changed_at timestamptz not null,
  -- The digest the phones were last told of.
  told text,
  -- The day the status may have lapsed by itself.
  review_on date
);
create index apple_pass_review on apple_pass (review_on) where review_on is not null;

-- Finds whose pass a phone speaks of.
create table apple_serial (
  serial uuid primary key,
  customer_id bigint not null
);

create table apple_device (
  customer_id bigint not null,
  device_id text not null,
  push_token text not null,
  registered_at timestamptz not null,
  primary key (customer_id, device_id)
);
create index apple_device_passes on apple_device (device_id);

create or replace function wallet_changed() returns trigger language plpgsql as $$
begin
  if exists (select from google_pass where customer_id = new.customer_id)
     or exists (select from apple_pass where customer_id = new.customer_id) then
    perform graphile_worker.add_job(
      'loyalty:wallet', json_build_object('customerId', new.customer_id),
      job_key => 'wallet:' || new.customer_id, max_attempts => 450);
  end if;
  return null;
end $$;
