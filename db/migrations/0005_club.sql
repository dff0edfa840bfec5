-- The club's books: membership, an append-only ledger of points, vouchers.
-- Personal tables have customer_id first in their key and no reference to customer: erasing a person leaves
-- the ledger whole and tied to nobody. What is unique for all stands in narrow tables keyed by that value.

alter table loyalty_programme
  add column points_valid_months integer not null default 24 check (points_valid_months > 0),
  add column tier_months integer not null default 12 check (tier_months > 0);

-- The club's calendar is that of Paris, wherever the server stands.
create function club_day(moment timestamptz) returns date
  language sql immutable parallel safe
  return (moment at time zone 'Europe/Paris')::date;

-- What is good until a day is good for the whole of it: its last second, so that every clock shows that same day.
create function club_day_end(day date) returns timestamptz
  language sql immutable parallel safe
  return ((day + 1)::timestamp - interval '1 second') at time zone 'Europe/Paris';

-- The row every movement of points locks first.
create table loyalty_account (
  customer_id bigint primary key,
  programme_id integer not null references loyalty_programme,
  -- asleep: has left and may come back; erased: tied to nobody any more.
  state text not null check (state in ('active', 'asleep', 'erased')),
  member_since timestamptz not null,
  left_at timestamptz,
  card_number text check (card_number ~ '^29\d{11}$'),
  balance integer not null default 0 check (balance >= 0),
  -- The last lapse the member was warned of.
  warned_until timestamptz,
  check ((card_number is null) = (state = 'erased'))
);

create table loyalty_card (
  number text primary key,
  customer_id bigint not null
);

-- A keyed hash of the address remembers, through erasure and registering again, that the welcome gift was given.
create table loyalty_welcome (
  person bytea primary key,
  given_at timestamptz not null
);

create table loyalty_person_key (
  single boolean primary key default true check (single),
  inner_key bytea not null,
  outer_key bytea not null
);

insert into loyalty_person_key (inner_key, outer_key)
select decode(string_agg(replace(gen_random_uuid()::text, '-', ''), '') filter (where n <= 4), 'hex'),
       decode(string_agg(replace(gen_random_uuid()::text, '-', ''), '') filter (where n > 4), 'hex')
from generate_series(1, 8) n;

-- The two nested hashes of an HMAC, each with a key of its own; needs no extension.
create function loyalty_person(email text) returns bytea
  language sql stable
  return (select sha256(outer_key || sha256(inner_key || convert_to(email, 'UTF8'))) from loyalty_person_key);

create table loyalty_entry (
  customer_id bigint not null references loyalty_account,
  id bigint generated always as identity,
  at timestamptz not null,
  kind text not null check (kind in ('welcome', 'event', 'grant', 'reward', 'expiry')),
  points integer not null check (points <> 0 and (points > 0) = (kind in ('welcome', 'event', 'grant'))),
  -- The balance after this entry.
  balance integer not null check (balance >= 0),
  -- Why; the same cause moves points once.
  cause text not null,
  -- What history calls it: a reference to an event or a reward, or a text.
  label jsonb not null default '{}',
  expires_at timestamptz check ((expires_at is null) = (points < 0)),
  primary key (customer_id, id),
  unique (customer_id, cause)
);

-- Points left of each earning; the nearest to expire are spent first.
create table loyalty_lot (
  customer_id bigint not null,
  entry_id bigint not null,
  expires_at timestamptz not null,
  remaining integer not null check (remaining >= 0),
  primary key (customer_id, entry_id),
  foreign key (customer_id, entry_id) references loyalty_entry
);

create index loyalty_lot_next on loyalty_lot (customer_id, expires_at, entry_id) where remaining > 0;
create index loyalty_lot_due on loyalty_lot (expires_at, customer_id) where remaining > 0;

-- Points earned on each day of the club, and from the beginning through that day: what a stretch of days earned
-- is one total less another, however many entries there are.
create table loyalty_earned_day (
  customer_id bigint not null,
  day date not null,
  points integer not null check (points > 0),
  through integer not null,
  primary key (customer_id, day)
);

create index loyalty_earned_day_through on loyalty_earned_day (customer_id, through);

create table loyalty_voucher (
  customer_id bigint not null,
  -- The entry that paid for it.
  id bigint not null,
  programme_id integer not null,
  reward_id integer not null,
  code text not null,
  points integer not null check (points > 0),
  amount_cents integer not null check (amount_cents > 0),
  obtained_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > obtained_at),
  used_at timestamptz check (used_at between obtained_at and expires_at),
  primary key (customer_id, id),
  foreign key (customer_id, id) references loyalty_entry,
  foreign key (programme_id, reward_id) references loyalty_reward
);

create table loyalty_voucher_code (
  code text primary key,
  customer_id bigint not null
);

-- Answers already given, so that the same key gets the same answer again.
create table idempotency_key (
  customer_id bigint not null,
  call text not null,
  key text not null,
  body_hash bytea not null,
  -- Null only inside the transaction that is still working on it.
  status integer,
  language text,
  answer text,
  created_at timestamptz not null default now(),
  primary key (customer_id, call, key)
);

create index idempotency_key_age on idempotency_key (created_at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger loyalty_entry_stays before update or delete on loyalty_entry
  for each row execute function refuse_change();
create trigger loyalty_entry_stays_whole before truncate on loyalty_entry
  for each statement execute function refuse_change();

-- A voucher moves one way: from unused to used, once.
create function loyalty_voucher_forward() returns trigger language plpgsql as $$
begin
  if old.used_at is not null or new.used_at is null
     or (to_jsonb(new) - 'used_at') is distinct from (to_jsonb(old) - 'used_at') then
    raise exception 'a voucher is used once and never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger loyalty_voucher_forward before update on loyalty_voucher
  for each row execute function loyalty_voucher_forward();
create trigger loyalty_voucher_stays before delete on loyalty_voucher
  for each row execute function refuse_change();
create trigger loyalty_voucher_stays_whole before truncate on loyalty_voucher
  for each statement execute function refuse_change();

-- The first day whose points still count: a day counts until the same day, so many months on, has passed.
-- Where that month is shorter, the subtraction alone would let one day too many in.
create function loyalty_counts_from(today date, the_months integer) returns date
  language sql immutable parallel safe
  return (today - make_interval(months => the_months))::date
    + case when ((today - make_interval(months => the_months))::date + make_interval(months => the_months))::date < today
      then 1 else 0 end;

create function loyalty_earned(the_customer bigint, the_months integer, today date) returns integer
  language sql stable
  return coalesce((
    select through from loyalty_earned_day
    where customer_id = the_customer and day <= today order by day desc limit 1), 0)
  - coalesce((
    select through from loyalty_earned_day
    where customer_id = the_customer and day < loyalty_counts_from(today, the_months) order by day desc limit 1), 0);

-- Takes away what has lapsed, each lot with an entry of its own, dated when it lapsed. Returns the points taken.
create function loyalty_expire(the_customer bigint, moment timestamptz) returns integer
language plpgsql as $$
declare
  lot record;
  taken integer := 0;
begin
  perform 1 from loyalty_account where customer_id = the_customer for update;
  for lot in
    select entry_id, expires_at, remaining from loyalty_lot
    where customer_id = the_customer and remaining > 0 and expires_at <= moment
    order by expires_at, entry_id
  loop
    with account as (
      update loyalty_account set balance = balance - lot.remaining
      where customer_id = the_customer returning balance
    )
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause)
    select the_customer, lot.expires_at, 'expiry', -lot.remaining, balance, 'expiry:' || lot.entry_id from account;
    update loyalty_lot set remaining = 0 where customer_id = the_customer and entry_id = lot.entry_id;
    taken := taken + lot.remaining;
  end loop;
  return taken;
end $$;

-- The one writer of points. It locks the account before it looks at anything else, in statements of their own:
-- inside one statement the rest would still see what was there before the lock was granted.
-- Outcomes: done; repeated (this cause has moved points before); short (not enough points); not_a_member.
create function loyalty_move(
  the_customer bigint, the_points integer, the_kind text, the_cause text, the_label jsonb,
  earned_at timestamptz, moment timestamptz,
  out outcome text, out entry_id bigint, out balance_after integer, out earned_before integer, out earned_after integer
) language plpgsql as $$
declare
  account loyalty_account;
  programme loyalty_programme;
  lot record;
  due integer;
  lapses_at timestamptz;
begin
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state <> 'active' then
    outcome := 'not_a_member';
    return;
  end if;
  -- The nightly job may be late: what has lapsed can be neither spent nor left in the balance.
  balance_after := account.balance - loyalty_expire(the_customer, moment);

  select id into entry_id from loyalty_entry where customer_id = the_customer and cause = the_cause;
  if found then
    outcome := 'repeated';
    return;
  end if;
  if balance_after + the_points < 0 then
    outcome := 'short';
    return;
  end if;
  balance_after := balance_after + the_points;
  outcome := 'done';

  if the_points < 0 then
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
    values (the_customer, moment, the_kind, the_points, balance_after, the_cause, the_label)
    returning id into entry_id;
    due := -the_points;
    for lot in
      select l.entry_id as id, l.remaining from loyalty_lot l
      where l.customer_id = the_customer and l.remaining > 0
      order by l.expires_at, l.entry_id
    loop
      update loyalty_lot l set remaining = l.remaining - least(l.remaining, due)
      where l.customer_id = the_customer and l.entry_id = lot.id;
      due := due - least(lot.remaining, due);
      exit when due = 0;
    end loop;
  else
    select * into programme from loyalty_programme where id = account.programme_id;
    lapses_at := club_day_end((club_day(earned_at) + make_interval(months => programme.points_valid_months))::date);
    earned_before := loyalty_earned(the_customer, programme.tier_months, club_day(moment));
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at)
    values (the_customer, earned_at, the_kind, the_points, balance_after, the_cause, the_label, lapses_at)
    returning id into entry_id;
    insert into loyalty_lot (customer_id, entry_id, expires_at, remaining)
    values (the_customer, loyalty_move.entry_id, lapses_at, the_points);
    insert into loyalty_earned_day as earned (customer_id, day, points, through)
    values (the_customer, club_day(earned_at), the_points, the_points + coalesce((
      select through from loyalty_earned_day
      where customer_id = the_customer and day < club_day(earned_at) order by day desc limit 1), 0))
    on conflict (customer_id, day) do update
      set points = earned.points + the_points, through = earned.through + the_points;
    -- Points written down late count in the totals of the days since.
    update loyalty_earned_day set through = through + the_points
    where customer_id = the_customer and day > club_day(earned_at);
    earned_after := loyalty_earned(the_customer, programme.tier_months, club_day(moment));
  end if;
  update loyalty_account set balance = balance_after where customer_id = the_customer;
end $$;

-- Points become a voucher, in one call: the debit and what it bought are never apart. Also tells what the letter
-- about it needs. Outcomes beyond those of a movement: unknown (no such reward); code_taken (draw another code).
create function loyalty_obtain(
  the_customer bigint, the_programme integer, the_reward integer, the_code text, moment timestamptz,
  out outcome text, out voucher_id bigint, out balance_after integer, out cost integer, out amount_cents integer,
  out reward_name jsonb, out expires_at timestamptz, out email text, out firstname text
) language plpgsql as $$
declare
  reward loyalty_reward;
begin
  select * into reward from loyalty_reward where programme_id = the_programme and id = the_reward;
  if not found then
    outcome := 'unknown';
    return;
  end if;
  insert into loyalty_voucher_code (code, customer_id) values (the_code, the_customer) on conflict do nothing;
  if not found then
    outcome := 'code_taken';
    return;
  end if;
  select moved.outcome, moved.entry_id, moved.balance_after into outcome, voucher_id, balance_after
  from loyalty_move(the_customer, -reward.points, 'reward', 'voucher:' || the_code,
    jsonb_build_object('reward', the_reward), moment, moment) moved;
  if outcome <> 'done' then
    return;
  end if;
  cost := reward.points;
  amount_cents := reward.amount_cents;
  reward_name := reward.name;
  expires_at := club_day_end(club_day(moment) + reward.valid_days);
  insert into loyalty_voucher
    (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
  values (the_customer, voucher_id, the_programme, the_reward, the_code, cost, reward.amount_cents, moment,
    loyalty_obtain.expires_at);
  select c.email, c.firstname into email, firstname from customer c where c.id = the_customer;
end $$;
