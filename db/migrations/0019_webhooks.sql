-- Webhooks: events are written by triggers in the transaction of their cause, and delivered by jobs of that same
-- transaction. Payloads hold ids and numbers.

create table webhook_endpoint (
  id integer generated always as identity primary key,
  url text not null,
  -- AES-256-GCM, with a key outside the database.
  secret bytea not null,
  -- Signs beside the new one until its end, while a receiver changes over.
  previous_secret bytea,
  previous_ends_at timestamptz,
  owner_email text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  disabled_because text check (disabled_because in ('owner', 'gone')),
  -- Lease of the job that sends to it now.
  busy_until timestamptz,
  check ((previous_secret is null) = (previous_ends_at is null)),
  check ((disabled_at is null) = (disabled_because is null))
);

create table webhook_event (
  id bigint generated always as identity primary key,
  type text not null,
  at timestamptz not null default now(),
  customer_id bigint,
  shop_id integer,
  -- Counts the events of the customer.
  sequence bigint,
  payload jsonb not null,
  -- The writing transaction: readers take only what is older than every running one, in this order, and so skip no late commit.
  xid xid8 not null default pg_current_xact_id()
);
create index webhook_event_order on webhook_event (xid, id);
create index webhook_event_shop on webhook_event (shop_id, xid, id) where shop_id is not null;
create index webhook_event_expired on webhook_event (customer_id) where type = 'voucher.expired';

-- What customers were told: how many events, and the tier of the last one.
create table webhook_customer (
  customer_id bigint primary key,
  sequence bigint not null default 0,
  tier_id integer
);

create table webhook_delivery (
  id bigint generated always as identity primary key,
  event_id bigint not null references webhook_event on delete cascade,
  endpoint_id integer not null references webhook_endpoint,
  -- dead: every attempt failed; stopped: its endpoint was disabled.
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead', 'stopped')),
  attempts integer not null default 0,
  next_at timestamptz default now(),
  unique (event_id, endpoint_id)
);
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, next_at) where state = 'waiting';
create index webhook_delivery_dead on webhook_delivery (endpoint_id) where state = 'dead';

create table webhook_attempt (
  delivery_id bigint not null references webhook_delivery on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null,
  -- Absent: there was no answer, and error says why.
  status integer,
  error text,
  milliseconds integer not null,
  -- The first kilobyte.
  answer text,
  primary key (delivery_id, id)
);

-- From when on every cause has its event: nothing older was told, or it was deleted. A fresh database tells all.
create table webhook_since (
  single boolean primary key default true check (single),
  at timestamptz not null
);
insert into webhook_since (at)
select case when exists (select from loyalty_account) or exists (select from shop_receipt) then now() else '-infinity' end;

-- The tiers that members have now count as told. Before the triggers, whose creation makes writers wait.
insert into webhook_customer (customer_id, tier_id)
select a.customer_id, (
  select t.id from loyalty_tier t
  where t.programme_id = p.id and t.points_required <= loyalty_earned(a.customer_id, p.tier_months, club_day(now()))
  order by t.points_required desc limit 1)
from loyalty_account a join loyalty_programme p on p.id = a.programme_id;

create or replace function webhook_time(moment timestamptz) returns text
  language sql immutable parallel safe
  return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create or replace function webhook_amount(cents bigint) returns text
  language sql immutable parallel safe
  return to_char(cents / 100.0, 'FM9999999990.00');

create or replace function webhook_send(the_event bigint) returns integer language plpgsql as $$
declare
  opened record;
  deliveries integer := 0;
begin
  for opened in
    insert into webhook_delivery as d (event_id, endpoint_id)
    select the_event, e.id from webhook_endpoint e where e.disabled_at is null
    on conflict (event_id, endpoint_id) do update set state = 'waiting', attempts = 0, next_at = now()
    returning d.endpoint_id
  loop
    perform graphile_worker.add_job(
      'shop:webhook', json_build_object('endpoint', opened.endpoint_id), max_attempts => 450);
    deliveries := deliveries + 1;
  end loop;
  return deliveries;
end $$;

create or replace function webhook_write(
  the_type text, the_customer bigint, the_shop integer, the_payload jsonb
) returns void language plpgsql as $$
declare
  number bigint;
  written bigint;
begin
  if the_customer is not null then
    insert into webhook_customer as c (customer_id, sequence) values (the_customer, 1)
    on conflict (customer_id) do update set sequence = c.sequence + 1
    returning c.sequence into number;
  end if;
  insert into webhook_event (type, customer_id, shop_id, sequence, payload)
  values (the_type, the_customer, the_shop, number, the_payload)
  returning id into written;
  perform webhook_send(written);
end $$;

create or replace function webhook_tier(the_customer bigint) returns integer
  language sql stable
  return (
    select t.id from loyalty_account a
    join loyalty_programme p on p.id = a.programme_id
    join loyalty_tier t on t.programme_id = p.id
      and t.points_required <= loyalty_earned(a.customer_id, p.tier_months, club_day(now()))
    where a.customer_id = the_customer
    order by t.points_required desc limit 1);

create or replace function webhook_account() returns trigger language plpgsql as $$
begin
  perform webhook_write(
    case new.state when 'active' then 'member.joined' when 'asleep' then 'member.left' else 'member.erased' end,
    new.customer_id, null,
    jsonb_build_object('IdCustomer', new.customer_id, 'IdLoyaltyProgram', new.programme_id));
  if tg_op = 'INSERT' then
    update webhook_customer set tier_id = webhook_tier(new.customer_id) where customer_id = new.customer_id;
  end if;
  return null;
end $$;

create or replace function webhook_entry() returns trigger language plpgsql as $$
declare
  receipt text[] := regexp_match(new.cause, '^(?:purchase|return|exchange|void):(\d{1,9}):(.+)$');
begin
  perform webhook_write(
    case when new.points > 0 then 'points.earned' else 'points.taken' end, new.customer_id, receipt[1]::integer,
    jsonb_build_object(
      'IdCustomer', new.customer_id, 'IdEntry', new.id, 'Kind', new.kind, 'Points', abs(new.points),
      'Balance', new.balance, 'ExpiresAt', webhook_time(new.expires_at), 'IdShop', receipt[1]::integer,
      'ReceiptNumber', receipt[2]));
  return null;
end $$;

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

create or replace function webhook_voucher() returns trigger language plpgsql as $$
declare
  entry loyalty_entry;
  the_shop integer;
begin
  select * into entry from loyalty_entry e where e.customer_id = new.customer_id and e.id = new.id;
  if entry.kind = 'reissue' then
    select u.shop_id into the_shop from loyalty_voucher_use u where u.code = substr(entry.cause, length('reissue:') + 1);
  end if;
  perform webhook_write(
    case when entry.kind = 'reissue' then 'voucher.reissued' else 'voucher.obtained' end, new.customer_id, the_shop,
    jsonb_build_object(
      'IdCustomer', new.customer_id, 'IdCustomerReward', new.id, 'IdLoyaltyReward', new.reward_id, 'Points', new.points,
      'Value', webhook_amount(new.amount_cents), 'ExpiresAt', webhook_time(new.expires_at)));
  return null;
end $$;

create or replace function webhook_voucher_used() returns trigger language plpgsql as $$
declare
  used jsonb := to_jsonb(new);
  voucher loyalty_voucher;
begin
  select * into voucher from loyalty_voucher v where v.customer_id = new.customer_id and v.code = new.code;
  perform webhook_write('voucher.used', new.customer_id, (used ->> 'shop_id')::integer,
    jsonb_build_object(
      'IdCustomer', new.customer_id, 'IdCustomerReward', voucher.id, 'UsedAt', webhook_time(new.used_at),
      'Value', webhook_amount(voucher.amount_cents), 'Taken', webhook_amount((used ->> 'taken_cents')::integer),
      'IdShop', (used ->> 'shop_id')::integer, 'ReceiptNumber', used ->> 'receipt_number'));
  return null;
end $$;

create or replace function webhook_sale() returns trigger language plpgsql as $$
begin
  perform webhook_write('purchase.posted', new.customer_id, new.shop_id,
    jsonb_build_object(
      'IdShop', new.shop_id, 'ReceiptNumber', new.number, 'IdCustomer', new.customer_id,
      'SoldAt', webhook_time(new.sold_at),
      'Paid', webhook_amount((select sum((line ->> 'paidCents')::bigint)::bigint from jsonb_array_elements(new.lines) line)),
      'VoucherAmount', webhook_amount(coalesce((
        select sum((used ->> 'takenCents')::bigint)::bigint from jsonb_array_elements(new.vouchers) used), 0)),
      'Earned', new.earned, 'Waiting', new.waiting));
  return null;
end $$;

create or replace function webhook_return() returns trigger language plpgsql as $$
declare
  the_customer bigint;
begin
  select s.customer_id into the_customer from shop_sale s
  where s.shop_id = new.sale_shop_id and s.number = new.sale_number;
  perform webhook_write('purchase.returned', the_customer, new.shop_id,
    jsonb_build_object(
      'IdShop', new.shop_id, 'ReceiptNumber', new.number, 'Kind', new.kind, 'OriginalIdShop', new.sale_shop_id,
      'OriginalReceiptNumber', new.sale_number, 'IdCustomer', the_customer, 'ReturnedAt', webhook_time(new.returned_at),
      'Refund', webhook_amount(coalesce((
        select sum((refund ->> 'cents')::bigint)::bigint from jsonb_array_elements(new.refunds) refund), 0)),
      'Taken', new.taken, 'Debt', new.debt));
  return null;
end $$;

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

create or replace function webhook_points_expiring(the_customer bigint, the_points integer, lapses_at timestamptz)
returns void language sql as $$
  select webhook_write('points.expiring', the_customer, null,
    jsonb_build_object('IdCustomer', the_customer, 'Points', the_points, 'ExpiresAt', webhook_time(lapses_at)));
$$;

create or replace function webhook_voucher_expired(moment timestamptz) returns integer language plpgsql as $$
declare
  ended record;
  told integer := 0;
begin
  for ended in
    select v.customer_id, v.id, v.reward_id, v.amount_cents, v.expires_at from loyalty_voucher v
    join loyalty_account a on a.customer_id = v.customer_id and a.state <> 'erased'
    where v.expires_at <= moment and v.expires_at > moment - interval '20 days' and v.used_at is null
      and not exists (select from loyalty_voucher_use u where u.code = v.code)
      and not exists (
        select from webhook_event e
        where e.type = 'voucher.expired' and e.customer_id = v.customer_id
          and (e.payload -> 'IdCustomerReward')::bigint = v.id)
    order by v.customer_id, v.id limit 500
  loop
    perform webhook_write('voucher.expired', ended.customer_id, null,
      jsonb_build_object(
        'IdCustomer', ended.customer_id, 'IdCustomerReward', ended.id, 'IdLoyaltyReward', ended.reward_id,
        'Value', webhook_amount(ended.amount_cents), 'ExpiredAt', webhook_time(ended.expires_at)));
    told := told + 1;
  end loop;
  return told;
end $$;

create trigger loyalty_account_joins after insert on loyalty_account
  for each row execute function webhook_account();
create trigger loyalty_account_changes after update of state on loyalty_account
  for each row when (old.state is distinct from new.state) execute function webhook_account();
create trigger loyalty_entry_tells after insert on loyalty_entry
  for each row when (new.points > 0 or new.kind = 'return') execute function webhook_entry();
-- Of the days after, a movement changes only the running total: the status is compared once.
create constraint trigger loyalty_earned_day_begins after insert or delete on loyalty_earned_day
  deferrable initially deferred for each row execute function webhook_status();
create constraint trigger loyalty_earned_day_moves after update of points on loyalty_earned_day
  deferrable initially deferred for each row execute function webhook_status();
create trigger loyalty_voucher_tells after insert on loyalty_voucher
  for each row execute function webhook_voucher();
create trigger loyalty_voucher_used after update of used_at on loyalty_voucher
  for each row when (old.used_at is null and new.used_at is not null) execute function webhook_voucher_used();
create trigger loyalty_voucher_use_tells after insert on loyalty_voucher_use
  for each row execute function webhook_voucher_used();
create trigger shop_sale_tells after insert on shop_sale
  for each row execute function webhook_sale();
create constraint trigger shop_return_applied after insert on shop_return
  deferrable initially deferred for each row when (new.state = 'applied') execute function webhook_return();
create constraint trigger shop_return_becomes_applied after update of state on shop_return
  deferrable initially deferred for each row when (old.state <> 'applied' and new.state = 'applied')
  execute function webhook_return();
create trigger programme_tells after insert or update or delete on loyalty_programme
  for each row execute function webhook_programme();
create trigger programme_tells after insert or update or delete on loyalty_tier
  for each row execute function webhook_programme();
create trigger programme_tells after insert or update or delete on loyalty_reward
  for each row execute function webhook_programme();
create trigger programme_tells after insert or update or delete on loyalty_event
  for each row execute function webhook_programme();
