-- The programme in versions. A row of loyalty_programme is one version of a programme: the rows of before are version 1,
-- later versions name the programme they belong to and have tiers, rewards and events of their own. A tier, a reward or
-- an event keeps its id in every version. Vouchers name the version they were obtained under.

alter table loyalty_programme
  -- Null: it is the first version, and its id is the programme's.
  add column version_of integer references loyalty_programme,
  add column version integer not null default 1,
  add column label text,
  add column starts_at timestamptz not null default '2000-01-01T00:00:00Z',
  add column published_at timestamptz,
  add column published_by integer references staff,
  add column withdrawn_at timestamptz;

-- The version of a programme that is in force at a moment: of those published, the one that began last. A plain query, so
-- that PostgreSQL makes it part of the statement that calls it.
-- Called by loyalty_move, loyalty_obtain, loyalty_gift, shop_member_at, webhook_tier, figure_lot,
-- src/loyalty/programme/programme-at.server.ts and src/shop/keys/identify-query.server.ts.
create or replace function loyalty_programme_at(the_programme integer, moment timestamptz)
  returns setof loyalty_programme language sql stable rows 1 as $$
  select * from loyalty_programme
  where coalesce(version_of, id) = the_programme and starts_at <= moment and withdrawn_at is null
  order by starts_at desc, version desc limit 1
$$;

-- Trigger function: a version of the programme is never edited. Its tiers, rewards and events are written in the
-- transaction that writes the version; all that can change later is that it is withdrawn, before it begins.
-- Called by the triggers loyalty_version_stays on the programme's four tables and loyalty_version_whole on three of them.
create or replace function loyalty_version_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if exists (
      select from loyalty_programme p
      where p.id = new.programme_id and p.xmin = pg_current_xact_id()::xid) then
      return null;
    end if;
  elsif tg_op = 'UPDATE' and tg_table_name = 'loyalty_programme' then
    if to_jsonb(new) - 'withdrawn_at' = to_jsonb(old) - 'withdrawn_at'
      and old.withdrawn_at is null and old.starts_at > new.withdrawn_at then
      return new;
    end if;
  end if;
  raise exception 'a version of the programme is never edited: publish another' using errcode = 'restrict_violation';
end $$;

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

-- The tier of an account today. Called by webhook_account and webhook_status.
create or replace function webhook_tier(the_customer bigint) returns integer
  language sql stable
  return (
    select t.id from loyalty_account a
    cross join lateral loyalty_programme_at(a.programme_id, now()) p
    join loyalty_tier t on t.programme_id = p.id
      and t.points_required <= loyalty_earned(a.customer_id, p.tier_months, club_day(now()))
    where a.customer_id = the_customer
    order by t.points_required desc limit 1);

-- The only writer of points, for credits and debits. It locks the customer, then the account, before it looks at
-- anything else, in statements of their own: inside one statement the rest would still see what was there before the
-- lock was granted. Outcomes: done; repeated (this cause has moved points before: idempotent); short (not enough
-- points); not_a_member. Called by src/loyalty/ledger/ledger.server.ts, loyalty_credit, loyalty_obtain and
-- loyalty_merge.
create or replace function loyalty_move(
  the_customer bigint, the_points integer, the_kind text, the_cause text, the_label jsonb,
  earned_at timestamptz, moment timestamptz,
  out outcome text, out entry_id bigint, out balance_after integer, out earned_before integer, out earned_after integer
) language plpgsql as $$
declare
  account loyalty_account;
  valid_months integer;
  tier_months integer;
  lot record;
  due integer;
  lapses_at timestamptz;
begin
  perform 1 from customer where id = the_customer for no key update;
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
    -- Points last as the version in force when they were earned says; the status is today's.
    select p.points_valid_months into valid_months from loyalty_programme_at(account.programme_id, earned_at) p;
    select p.tier_months into tier_months from loyalty_programme_at(account.programme_id, moment) p;
    lapses_at := club_day_end((club_day(earned_at) + make_interval(months => valid_months))::date);
    earned_before := loyalty_earned(the_customer, tier_months, club_day(moment));
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
    earned_after := loyalty_earned(the_customer, tier_months, club_day(moment));
  end if;
  update loyalty_account set balance = balance_after where customer_id = the_customer;
end $$;

-- Points become a voucher, in one call: the debit and the voucher it buys are never apart. Also returns what the letter
-- about it needs. Outcomes besides those of loyalty_move: unknown (no such reward); code_taken (draw another code).
-- Called by loyalty_obtain_confirmed.
create or replace function loyalty_obtain(
  the_customer bigint, the_programme integer, the_reward integer, the_code text, moment timestamptz,
  out outcome text, out voucher_id bigint, out balance_after integer, out cost integer, out amount_cents integer,
  out reward_name jsonb, out expires_at timestamptz, out email text, out firstname text
) language plpgsql as $$
declare
  reward loyalty_reward;
begin
  select r.* into reward from loyalty_programme_at(the_programme, moment) p
  join loyalty_reward r on r.programme_id = p.id and r.id = the_reward;
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
  values (the_customer, voucher_id, reward.programme_id, the_reward, the_code, cost, reward.amount_cents, moment,
    loyalty_obtain.expires_at);
  select c.email, c.firstname into email, firstname from customer c where c.id = the_customer;
end $$;

-- A voucher that costs no points: an entry of 0 points and the voucher, in one call. Outcomes: done; not_a_member; unknown
-- (no such reward); code_taken (draw another code). Called by src/loyalty/ledger/gifts.server.ts.
create or replace function loyalty_gift(
  the_customer bigint, the_programme integer, the_reward integer, the_code text, moment timestamptz,
  out outcome text, out voucher_id bigint, out amount_cents integer, out reward_name jsonb, out expires_at timestamptz
) language plpgsql as $$
declare
  account loyalty_account;
  reward loyalty_reward;
begin
  perform 1 from customer where id = the_customer for no key update;
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state <> 'active' then
    outcome := 'not_a_member';
    return;
  end if;
  select r.* into reward from loyalty_programme_at(the_programme, moment) p
  join loyalty_reward r on r.programme_id = p.id and r.id = the_reward;
  if not found then
    outcome := 'unknown';
    return;
  end if;
  insert into loyalty_voucher_code (code, customer_id) values (the_code, the_customer) on conflict do nothing;
  if not found then
    outcome := 'code_taken';
    return;
  end if;
  amount_cents := reward.amount_cents;
  reward_name := reward.name;
  expires_at := club_day_end(club_day(moment) + reward.valid_days);
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
  values (the_customer, moment, 'gift', 0, account.balance, 'gift:' || the_code,
    jsonb_build_object('reward', the_reward))
  returning id into voucher_id;
  insert into loyalty_voucher
    (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
  values (the_customer, voucher_id, reward.programme_id, the_reward, the_code, 0, reward.amount_cents, moment,
    loyalty_gift.expires_at);
  outcome := 'done';
end $$;

-- What a till may know of a member: name, points, debt, whether they are blocked, whether today is their birthday, and
-- the tier of a sale's day with the rule of earning of its moment. Before joining the tier is the lowest. Null when the
-- customer is no member. Called by shop_member and shop_sale_facts.
create or replace function shop_member_at(
  the_customer bigint, sold_at timestamptz, moment timestamptz
) returns jsonb
  language sql stable
  return (
    select jsonb_build_object(
      'id', a.customer_id, 'firstname', c.firstname, 'lastname', c.lastname, 'language', c.language,
      'blocked', c.blocked_at is not null,
      'programmeId', a.programme_id,
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
          when club_day(sold_at) < club_day(a.member_since) then 0
          else loyalty_earned(a.customer_id, p.tier_months, club_day(sold_at)) end
        order by t.points_required desc limit 1))
    from loyalty_account a
    join customer c on c.id = a.customer_id
    cross join lateral loyalty_programme_at(a.programme_id, sold_at) p
    where a.customer_id = the_customer and a.state = 'active');

-- What a till may know of a member whom it looks up, with the tier of a day (db/functions/shop_member_at.sql).
-- Called by shop_find_members.
create or replace function shop_member(the_customer bigint, the_day date, moment timestamptz) returns jsonb
  language sql stable
  return shop_member_at(
    the_customer, case when the_day = club_day(moment) then moment else club_day_end(the_day) end, moment);

-- What a sale depends on: the customer named by a card, a token or else by the vouchers, with the tier of the day; how
-- often they bought that day; the vouchers. A purchase locks first, in the order customer, account, vouchers by code; a
-- quote only reads. Accounts may be merged while a purchase waits for its lock: then it is the survivor's.
-- Called by src/shop/sales/facts.server.ts.
create or replace function shop_sale_facts(
  the_card text, the_customer bigint, the_codes text[], sold_at timestamptz, moment timestamptz, locks boolean
) returns jsonb language plpgsql as $$
declare
  named bigint := customer_survivor(the_customer);
begin
  if named is null and the_card is not null then
    select customer_id into named from loyalty_card where number = the_card;
  end if;
  if named is null then
    select c.customer_id into named from loyalty_voucher_code c
    where c.code = any (the_codes) order by array_position(the_codes, c.code) limit 1;
  end if;
  if locks then
    loop
      perform 1 from customer where id = named for no key update;
      perform 1 from loyalty_account where customer_id = named for update;
      exit when customer_survivor(named) is not distinct from named;
      named := customer_survivor(named);
    end loop;
    perform 1 from loyalty_voucher_code where code = any (the_codes) order by code for update;
  end if;
  return jsonb_build_object(
    'namedId', named,
    'language', (select c.language from customer c where c.id = named),
    'member', shop_member_at(named, sold_at, moment),
    'isFirst', not exists (select from shop_sale s where s.customer_id = named),
    'salesThatDay', (
      select count(*) from shop_sale s
      where s.customer_id = named
        and s.sold_at >= club_day(shop_sale_facts.sold_at)::timestamp at time zone 'Europe/Paris'
        and s.sold_at < (club_day(shop_sale_facts.sold_at) + 1)::timestamp at time zone 'Europe/Paris'),
    'vouchers', case when cardinality(the_codes) > 0 then shop_vouchers(null, the_codes, moment) else '[]' end);
end $$;

-- Trigger function: points outstanding, by the month in which they lapse and the tier in which they were earned: that of
-- their day, without them, which is written with the lot. It runs before the day's points are added.
-- Called by the triggers loyalty_lot_counts and loyalty_lot_changes on loyalty_lot.
create or replace function figure_lot() returns trigger language plpgsql as $$
declare
  change integer := new.remaining - case when tg_op = 'UPDATE' then old.remaining else 0 end;
begin
  if tg_op = 'INSERT' then
    select t.id into new.tier_id from loyalty_entry e
    join loyalty_account a on a.customer_id = e.customer_id
    cross join lateral loyalty_programme_at(a.programme_id, e.at) p
    join loyalty_tier t on t.programme_id = p.id
      and t.points_required <= loyalty_earned(e.customer_id, p.tier_months, club_day(e.at))
    where e.customer_id = new.customer_id and e.id = new.entry_id
    order by t.points_required desc limit 1;
  end if;
  if change <> 0 then
    insert into figure_delta (day, figure, part, count, amount)
    values (date_trunc('month', club_day(new.expires_at)::timestamp)::date, 'outstanding', coalesce(new.tier_id, 0), 0, change);
  end if;
  return new;
end $$;

create trigger loyalty_version_stays before update or delete on loyalty_programme
  for each row execute function loyalty_version_stays();
create trigger loyalty_version_stays before update or delete on loyalty_tier
  for each row execute function loyalty_version_stays();
create trigger loyalty_version_whole after insert on loyalty_tier
  for each row execute function loyalty_version_stays();
create trigger loyalty_version_stays before update or delete on loyalty_reward
  for each row execute function loyalty_version_stays();
create trigger loyalty_version_whole after insert on loyalty_reward
  for each row execute function loyalty_version_stays();
create trigger loyalty_version_stays before update or delete on loyalty_event
  for each row execute function loyalty_version_stays();
create trigger loyalty_version_whole after insert on loyalty_event
  for each row execute function loyalty_version_stays();
