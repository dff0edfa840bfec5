-- The till screen: people of the retailer, devices paired with a shop, and the audit log.

create table staff (
  id integer generated always as identity primary key,
  email text not null unique,
  firstname text not null check (firstname <> ''),
  lastname text not null check (lastname <> ''),
  role text not null check (role in ('owner', 'marketing', 'service', 'shop')),
  -- Somebody of a shop works at its tills; everybody else who has a PIN may sign in at any.
  shop_id integer references shop,
  -- argon2id of the PIN under a key that is not in the database. Null: no PIN, no till.
  pin_hash text,
  -- The customer whose card is their own: they may not sell to themselves.
  own_customer_id bigint,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((role = 'shop') = (shop_id is not null))
);
create index staff_own_customer on staff (own_customer_id) where own_customer_id is not null;

-- A paired till is a key of its shop, whose secret is in a cookie of the device instead of a header.
alter table shop_key add column kind text not null default 'key' check (kind in ('key', 'till'));

-- A code that pairs one device. Of the code only a keyed hash is stored.
create table till_pairing (
  code_hash bytea primary key,
  shop_id integer not null references shop,
  name text,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  used_at timestamptz
);

-- Who is signed in on a till: one person at a time. Of the token only the SHA-256 is stored.
create table till_session (
  key_prefix text primary key references shop_key,
  token_hash bytea not null,
  staff_id integer not null references staff,
  opened_at timestamptz not null,
  seen_at timestamptz not null
);
create index till_session_staff on till_session (staff_id);

-- Wrong PINs of one person on one device since the last right one. At five the person is locked out there.
create table till_pin_miss (
  key_prefix text not null references shop_key,
  staff_id integer not null references staff,
  misses integer not null,
  primary key (key_prefix, staff_id)
);

alter table shop_sale add column staff_id integer;
alter table shop_return add column staff_id integer;
alter table shop_look_up add column staff_id integer;

-- One row for everything that staff change, in the transaction of the change. No personal values: those stand beside it.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  made_by text not null check (made_by in ('staff', 'device', 'command', 'job')),
  staff_id integer,
  action text not null,
  customer_id bigint,
  shop_id integer,
  -- The till or key it was done with.
  key_prefix text,
  before jsonb,
  after jsonb,
  reason text,
  request_id text
);
create index audit_log_customer on audit_log (customer_id, id) where customer_id is not null;
create index audit_log_staff on audit_log (staff_id, id) where staff_id is not null;
create trigger audit_log_stays before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_stays_whole before truncate on audit_log
  for each statement execute function refuse_change();

-- The personal values of an entry: the only part of the log that an erasure deletes.
create table audit_personal (
  customer_id bigint not null,
  audit_id bigint not null references audit_log,
  personal jsonb not null,
  primary key (customer_id, audit_id)
);

create function shop_key_count(
  the_prefix text, moment timestamptz,
  out calls integer, out misses integer, out by_contact integer, out wait_seconds integer
) language plpgsql as $$
begin
  insert into shop_key_use as u (prefix, minute, calls, misses, by_contact)
  values (the_prefix, date_trunc('minute', moment), 1, 0, 0)
  on conflict (prefix) do update set
    minute = excluded.minute,
    calls = case when u.minute = excluded.minute then u.calls + 1 else 1 end,
    misses = case when u.minute = excluded.minute then u.misses else 0 end,
    by_contact = case when u.minute = excluded.minute then u.by_contact else 0 end
  returning u.calls, u.misses, u.by_contact into calls, misses, by_contact;
  wait_seconds := ceil(60 - extract(second from moment));
end $$;

create or replace function shop_call(
  the_prefix text, the_secret_hash bytea, the_scopes text[], most_calls integer, moment timestamptz,
  out outcome text, out shop_id integer, out shop_name text, out scopes text[], out misses integer, out by_contact integer,
  out wait_seconds integer
) language plpgsql as $$
declare
  key shop_key;
  calls_now integer;
begin
  select * into key from shop_key k
  where k.prefix = the_prefix and k.secret_hash = the_secret_hash and k.kind = 'key'
    and k.revoked_at is null and (k.ends_at is null or k.ends_at > moment);
  if not found then
    outcome := 'key_invalid';
    return;
  end if;
  shop_id := key.shop_id;
  shop_name := (select s.name from shop s where s.id = key.shop_id);
  scopes := key.scopes;
  select c.calls, c.misses, c.by_contact, c.wait_seconds into calls_now, misses, by_contact, wait_seconds
  from shop_key_count(the_prefix, moment) c;
  if not key.scopes @> the_scopes then
    outcome := 'scope_missing';
    return;
  end if;
  if calls_now > most_calls then
    outcome := 'too_many';
    return;
  end if;
  if key.used_at is null or key.used_at < moment - interval '1 hour' then
    update shop_key k set used_at = moment where k.prefix = the_prefix;
  end if;
  outcome := 'done';
end $$;

create function till_call(
  the_prefix text, the_secret_hash bytea, needs_person boolean, the_token_hash bytea, most_calls integer,
  moment timestamptz,
  out outcome text, out shop_id integer, out shop_name text, out shop_city text, out till_name text,
  out scopes text[], out misses integer, out by_contact integer, out wait_seconds integer,
  out staff_id integer, out own_customer_id bigint
) language plpgsql as $$
declare
  till shop_key;
  calls_now integer;
  last_seen timestamptz;
begin
  select * into till from shop_key k
  where k.prefix = the_prefix and k.secret_hash = the_secret_hash and k.kind = 'till'
    and k.revoked_at is null and (k.ends_at is null or k.ends_at > moment);
  if not found then
    outcome := 'not_paired';
    return;
  end if;
  shop_id := till.shop_id;
  till_name := till.name;
  scopes := till.scopes;
  select s.name, s.city into shop_name, shop_city from shop s where s.id = till.shop_id;
  select c.calls, c.misses, c.by_contact, c.wait_seconds into calls_now, misses, by_contact, wait_seconds
  from shop_key_count(the_prefix, moment) c;
  if calls_now > most_calls then
    outcome := 'too_many';
    return;
  end if;
  if till.used_at is null or till.used_at < moment - interval '1 hour' then
    update shop_key k set used_at = moment where k.prefix = the_prefix;
  end if;
  if needs_person then
    select s.staff_id, p.own_customer_id, s.seen_at into staff_id, own_customer_id, last_seen
    from till_session s join staff p on p.id = s.staff_id
    where s.key_prefix = the_prefix and s.token_hash = the_token_hash
      and s.seen_at > moment - interval '3 minutes' and s.opened_at > moment - interval '12 hours'
      and p.ended_at is null;
    if not found then
      outcome := 'pin_required';
      return;
    end if;
    if last_seen < moment - interval '5 seconds' then
      update till_session s set seen_at = moment where s.key_prefix = the_prefix and s.token_hash = the_token_hash;
    end if;
  end if;
  outcome := 'done';
end $$;

create function shop_find_members(
  the_prefix text, the_shop integer, the_staff integer, the_misses integer, the_by_contact integer,
  most_misses integer, most_by_contact integer, the_kind text, the_value text, the_entry_mode text, moment timestamptz,
  out outcome text, out members jsonb
) language plpgsql as $$
declare
  found_ids bigint[];
begin
  perform set_config('synchronous_commit', 'off', true);
  if the_misses >= most_misses or (the_kind in ('email', 'phone') and the_by_contact >= most_by_contact) then
    outcome := 'too_many';
    return;
  end if;
  if the_kind = 'card' then
    select array_agg(c.customer_id) into found_ids from loyalty_card c where c.number = the_value;
  elsif the_kind = 'voucher' then
    select array_agg(c.customer_id) into found_ids from loyalty_voucher_code c where c.code = the_value;
  elsif the_kind = 'email' then
    select array_agg(c.customer_id) into found_ids from customer_email c where c.email = the_value;
  else
    select array_agg(c.id order by c.id) into found_ids from (
      select c.id from customer c join loyalty_account a on a.customer_id = c.id and a.state = 'active'
      where c.mobile_phone = the_value and not c.guest limit 4) c;
  end if;
  select jsonb_agg(m.member || jsonb_build_object('vouchers', case
      when the_kind in ('card', 'voucher')
      then shop_vouchers(m.id, case when the_kind = 'voucher' then array[the_value] else '{}' end, moment) end))
  into members
  from (select id, shop_member(id, club_day(moment), moment) as member from unnest(found_ids) id) m
  where m.member is not null and cardinality(found_ids) <= 3;

  if members is null or the_kind in ('email', 'phone') then
    update shop_key_use u set
      misses = u.misses + case when members is null then 1 else 0 end,
      by_contact = u.by_contact + case when the_kind in ('email', 'phone') then 1 else 0 end
    where u.prefix = the_prefix;
  end if;
  if members is null then
    outcome := 'nobody';
    return;
  end if;
  insert into shop_look_up (customer_id, at, key_prefix, shop_id, found_by, entry_mode, staff_id)
  select (member ->> 'id')::bigint, moment, the_prefix, the_shop, the_kind, the_entry_mode, the_staff
  from jsonb_array_elements(members) member;
  outcome := 'done';
end $$;

create or replace function shop_identify(
  the_prefix text, the_secret_hash bytea, most_calls integer, most_misses integer, most_by_contact integer,
  the_kind text, the_value text, the_entry_mode text, moment timestamptz,
  out outcome text, out wait_seconds integer, out shop_id integer, out members jsonb
) language plpgsql as $$
declare
  call record;
begin
  select * into call from shop_call(the_prefix, the_secret_hash, array['identify'], most_calls, moment);
  outcome := call.outcome;
  wait_seconds := call.wait_seconds;
  shop_id := call.shop_id;
  if outcome <> 'done' then
    return;
  end if;
  select f.outcome, f.members into outcome, members
  from shop_find_members(
    the_prefix, call.shop_id, null, call.misses, call.by_contact, most_misses, most_by_contact,
    the_kind, the_value, the_entry_mode, moment) f;
end $$;

create or replace function shop_member(the_customer bigint, the_day date, moment timestamptz) returns jsonb
  language sql stable
  return (
    select jsonb_build_object(
      'id', a.customer_id, 'firstname', c.firstname, 'lastname', c.lastname, 'language', c.language,
      'programmeId', p.id,
      'available', a.balance - coalesce((
        select sum(remaining) from loyalty_lot l
        where l.customer_id = a.customer_id and l.remaining > 0 and l.expires_at <= moment), 0),
      'debt', loyalty_debt_of(a.customer_id),
      -- In other years than leap years, 29 February is 28 February.
      'birthdayToday', coalesce(club_day(moment) = (c.birthday + make_interval(years =>
        (extract(year from club_day(moment)) - extract(year from c.birthday))::integer))::date, false),
      'pointsPerEuro', p.points_per_euro,
      'tier', (
        select jsonb_build_object('id', t.id, 'name', t.name, 'multiplierHundredths', t.multiplier_hundredths)
        from loyalty_tier t
        where t.programme_id = p.id and t.points_required <= case
          when the_day < club_day(a.member_since) then 0
          else loyalty_earned(a.customer_id, p.tier_months, the_day) end
        order by t.points_required desc limit 1))
    from loyalty_account a
    join customer c on c.id = a.customer_id
    join loyalty_programme p on p.id = a.programme_id
    where a.customer_id = the_customer and a.state = 'active');
