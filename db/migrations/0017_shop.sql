-- The shop side: shops and their keys, sales and returns, vouchers held and used at a till, debt.
-- A receipt here is a number, a time, a shop and amounts: no articles, no payment.

alter table loyalty_programme add column points_per_euro integer not null default 1 check (points_per_euro > 0);
-- In hundredths: 125 is 1.25 points for a point.
alter table loyalty_tier add column multiplier_hundredths integer not null default 100 check (multiplier_hundredths > 0);
-- Absent, a voucher needs a basket of its own value.
alter table loyalty_reward add column minimum_basket_cents integer check (minimum_basket_cents > 0);

update loyalty_tier set multiplier_hundredths = 125 where programme_id = 4 and id = 2;
update loyalty_tier set multiplier_hundredths = 150 where programme_id = 4 and id = 3;

-- The benefits say so, where nobody has changed them.
update loyalty_tier set benefits = '{"fr": ["250 points de bienvenue", "1 point par euro", "10 € de remise tous les 250 points", "100 points le mois de votre anniversaire"], "en": ["250 welcome points", "1 point per euro", "€10 off for every 250 points", "100 points in your birthday month"], "de": ["250 Punkte zur Begrüßung", "1 Punkt je Euro", "10 € Rabatt je 250 Punkte", "100 Punkte in Ihrem Geburtstagsmonat"]}'
where programme_id = 4 and id = 1 and benefits = '{"fr": ["250 points de bienvenue", "10 € de remise tous les 250 points", "100 points le mois de votre anniversaire"], "en": ["250 welcome points", "€10 off for every 250 points", "100 points in your birthday month"], "de": ["250 Punkte zur Begrüßung", "10 € Rabatt je 250 Punkte", "100 Punkte in Ihrem Geburtstagsmonat"]}'::jsonb;
update loyalty_tier set benefits = '{"fr": ["Tous les avantages Coton", "1,25 point par euro", "Les ventes privées, un jour avant", "Les retouches offertes"], "en": ["Everything in Cotton", "1.25 points per euro", "Private sales, a day early", "Complimentary alterations"], "de": ["Alle Vorteile des Status Baumwolle", "1,25 Punkte je Euro", "Der Private Sale, einen Tag früher", "Kostenlose Änderungen vom Schneider"]}'
where programme_id = 4 and id = 2 and benefits = '{"fr": ["Tous les avantages Coton", "Les ventes privées, un jour avant", "Les retouches offertes"], "en": ["Everything in Cotton", "Private sales, a day early", "Complimentary alterations"], "de": ["Alle Vorteile des Status Baumwolle", "Der Private Sale, einen Tag früher", "Kostenlose Änderungen vom Schneider"]}'::jsonb;
update loyalty_tier set benefits = '{"fr": ["Tous les avantages Soie", "1,5 point par euro", "Un rendez-vous avec nos stylistes", "Les invitations aux défilés"], "en": ["Everything in Silk", "1.5 points per euro", "An appointment with our stylists", "Invitations to our fashion shows"], "de": ["Alle Vorteile des Status Seide", "1,5 Punkte je Euro", "Ein Termin in der Stilberatung", "Einladungen zu unseren Modenschauen"]}'
where programme_id = 4 and id = 3 and benefits = '{"fr": ["Tous les avantages Soie", "Un rendez-vous avec nos stylistes", "Les invitations aux défilés"], "en": ["Everything in Silk", "An appointment with our stylists", "Invitations to our fashion shows"], "de": ["Alle Vorteile des Status Seide", "Ein Termin in der Stilberatung", "Einladungen zu unseren Modenschauen"]}'::jsonb;

create table shop (
  id integer generated always as identity primary key,
  name text not null check (name <> ''),
  city text not null check (city <> ''),
  kind text not null check (kind in ('boutique', 'web')),
  created_at timestamptz not null default now()
);

-- A key stands for one till or one server of a shop. Of the secret only the SHA-256 is stored.
create table shop_key (
  prefix text primary key,
  shop_id integer not null references shop,
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  used_at timestamptz,
  ends_at timestamptz,
  revoked_at timestamptz
);
create index shop_key_shop on shop_key (shop_id);

-- What each key did in the minute. After a crash the counts start again, so the table needs no log.
create unlogged table shop_key_use (
  prefix text primary key,
  minute timestamptz not null,
  calls integer not null,
  misses integer not null,
  by_contact integer not null
);

-- (shop, number) stands for a sale or a return for good, also when their amounts have been deleted.
create table shop_receipt (
  shop_id integer not null references shop,
  number text not null,
  content_hash bytea not null,
  arrived_at timestamptz not null,
  primary key (shop_id, number)
);

create table shop_sale (
  shop_id integer not null,
  number text not null,
  key_prefix text not null,
  -- Corrected by the till's clock; a time in the future was set to the arrival.
  sold_at timestamptz not null,
  in_future boolean not null default false,
  -- Null: nobody was named, or nobody who is a member. Whoever claims the receipt is written here.
  customer_id bigint,
  -- A customer was named who is no member.
  unknown_customer boolean not null default false,
  -- Sent as one amount, without lines.
  whole boolean not null,
  lines jsonb not null,
  vouchers jsonb not null,
  -- The rule of earning at sold_at: a later change of the programme changes no return.
  points_per_euro integer,
  multiplier_hundredths integer,
  tier_id integer,
  -- The numbers of the answer.
  earned integer not null,
  available integer,
  debt integer,
  -- Points that wait for a person: more purchases in a day than a customer makes.
  waiting boolean not null default false,
  -- The entry that credited the points.
  entry_id bigint,
  claim_code text unique,
  claim_misses integer not null default 0,
  claimed_at timestamptz,
  primary key (shop_id, number),
  foreign key (shop_id, number) references shop_receipt
);
create index shop_sale_customer on shop_sale (customer_id, sold_at) where customer_id is not null;
create index shop_sale_day on shop_sale (shop_id, sold_at);
create index shop_sale_waiting on shop_sale (sold_at) where waiting;

-- A return by a receipt of its own, the half of an exchange that takes back, or a sale that was voided.
create table shop_return (
  shop_id integer not null,
  number text not null,
  kind text not null check (kind in ('return', 'exchange', 'void')),
  key_prefix text not null,
  returned_at timestamptz not null,
  sale_shop_id integer not null references shop,
  sale_number text not null,
  -- waiting: its sale has not arrived; conflict: it does not fit its sale, a person decides.
  state text not null check (state in ('applied', 'waiting', 'conflict')),
  -- What was asked: lines with amounts, or one amount, or everything that is left.
  asked jsonb not null,
  refunds jsonb not null default '[]',
  reissued jsonb not null default '[]',
  taken integer not null default 0,
  available integer,
  debt integer,
  primary key (shop_id, number, kind),
  foreign key (shop_id, number) references shop_receipt
);
create index shop_return_sale on shop_return (sale_shop_id, sale_number);
create index shop_return_day on shop_return (shop_id, returned_at);
create index shop_return_open on shop_return (state) where state <> 'applied';

create table loyalty_voucher_hold (
  code text primary key,
  shop_id integer not null,
  number text not null,
  held_at timestamptz not null,
  until timestamptz not null
);

-- Who looked a customer up, when and how; part of the customer's export.
create table shop_look_up (
  customer_id bigint not null,
  id bigint generated always as identity,
  at timestamptz not null,
  key_prefix text not null,
  shop_id integer not null,
  found_by text not null check (found_by in ('card', 'voucher', 'email', 'phone')),
  entry_mode text check (entry_mode in ('scanned', 'typed')),
  primary key (customer_id, id)
);

create table shop_day_close (
  shop_id integer not null references shop,
  day date not null,
  closed_at timestamptz not null,
  totals jsonb not null,
  primary key (shop_id, day)
);

-- A voucher used at a till; the voucher's own row never changes. Vouchers used before have their time in that row.
create table loyalty_voucher_use (
  code text primary key,
  customer_id bigint not null,
  used_at timestamptz not null,
  shop_id integer not null,
  receipt_number text not null,
  taken_cents integer not null check (taken_cents >= 0),
  foreign key (shop_id, receipt_number) references shop_sale (shop_id, number)
);
create index loyalty_voucher_use_customer on loyalty_voucher_use (customer_id);

-- Points taken back in full for a return: what left the balance, what had lapsed of the purchase's own lot, what is owed.
create table loyalty_claw_back (
  customer_id bigint not null,
  cause text not null,
  purchase_id bigint not null,
  at timestamptz not null,
  points integer not null check (points > 0),
  taken integer not null check (taken >= 0),
  lapsed integer not null check (lapsed >= 0),
  owed integer not null check (owed >= 0),
  primary key (customer_id, cause),
  foreign key (customer_id, purchase_id) references loyalty_entry,
  check (points = taken + lapsed + owed)
);

-- Points that a return took back and the balance did not have. The next points settle it.
create table loyalty_debt (
  customer_id bigint not null,
  id bigint generated always as identity,
  cause text not null,
  owed_at timestamptz not null,
  points integer not null check (points > 0),
  remaining integer not null check (remaining >= 0),
  waived integer not null default 0 check (waived >= 0),
  primary key (customer_id, id),
  unique (customer_id, cause),
  check (remaining + waived <= points)
);
create index loyalty_debt_open on loyalty_debt (owed_at) where remaining > 0;

create function loyalty_debt_of(the_customer bigint) returns integer
  language sql stable
  return coalesce((
    select sum(remaining) from loyalty_debt where customer_id = the_customer and remaining > 0), 0)::integer;

create function loyalty_credit(
  the_customer bigint, the_points integer, the_kind text, the_cause text, the_label jsonb,
  earned_at timestamptz, moment timestamptz,
  out outcome text, out entry_id bigint, out balance_after integer, out earned_before integer, out earned_after integer,
  out debt_after integer
) language plpgsql as $$
declare
  debt record;
  due integer;
begin
  select m.outcome, m.entry_id, m.balance_after, m.earned_before, m.earned_after
  into outcome, entry_id, balance_after, earned_before, earned_after
  from loyalty_move(the_customer, the_points, the_kind, the_cause, the_label, earned_at, moment) m;
  debt_after := loyalty_debt_of(the_customer);
  if outcome <> 'done' or debt_after = 0 then
    return;
  end if;
  due := least(debt_after, balance_after);
  perform loyalty_move(the_customer, -due, 'settle', 'settle:' || entry_id, '{}', moment, moment);
  balance_after := balance_after - due;
  debt_after := debt_after - due;
  for debt in
    select d.id, d.remaining from loyalty_debt d
    where d.customer_id = the_customer and d.remaining > 0 order by d.owed_at, d.id
  loop
    update loyalty_debt d set remaining = d.remaining - least(d.remaining, due)
    where d.customer_id = the_customer and d.id = debt.id;
    due := due - least(debt.remaining, due);
    exit when due = 0;
  end loop;
end $$;

create function loyalty_claw_back(
  the_customer bigint, the_purchase bigint, the_points integer, the_cause text, the_label jsonb, moment timestamptz,
  out outcome text, out taken integer, out balance_after integer, out debt_after integer
) language plpgsql as $$
declare
  account loyalty_account;
  bought loyalty_entry;
  earlier loyalty_claw_back;
  lot record;
  due integer := the_points;
  had_lapsed integer;
begin
  perform 1 from customer where id = the_customer for no key update;
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state = 'erased' then
    outcome := 'nobody';
    return;
  end if;
  balance_after := account.balance - loyalty_expire(the_customer, moment);
  select * into earlier from loyalty_claw_back c where c.customer_id = the_customer and c.cause = the_cause;
  if found then
    outcome := 'repeated';
    taken := earlier.taken;
    debt_after := loyalty_debt_of(the_customer);
    return;
  end if;
  select * into bought from loyalty_entry where customer_id = the_customer and id = the_purchase;

  taken := 0;
  -- Its own lot.
  select l.entry_id as id, l.remaining into lot from loyalty_lot l
  where l.customer_id = the_customer and l.entry_id = the_purchase;
  if lot.remaining > 0 then
    taken := least(lot.remaining, due);
    update loyalty_lot l set remaining = l.remaining - loyalty_claw_back.taken
    where l.customer_id = the_customer and l.entry_id = the_purchase;
    due := due - taken;
  end if;
  -- What lapsed of it, unless an earlier return counted that already.
  select least(due, coalesce((
      select -e.points from loyalty_entry e
      where e.customer_id = the_customer and e.cause = 'expiry:' || the_purchase), 0)
    - coalesce((
      select sum(c.lapsed) from loyalty_claw_back c
      where c.customer_id = the_customer and c.purchase_id = the_purchase), 0))
  into had_lapsed;
  due := due - had_lapsed;
  for lot in
    select l.entry_id as id, l.remaining from loyalty_lot l
    where due > 0 and l.customer_id = the_customer and l.remaining > 0
    order by l.expires_at, l.entry_id
  loop
    update loyalty_lot l set remaining = l.remaining - least(l.remaining, due)
    where l.customer_id = the_customer and l.entry_id = lot.id;
    taken := taken + least(lot.remaining, due);
    due := due - least(lot.remaining, due);
    exit when due = 0;
  end loop;

  balance_after := balance_after - taken;
  if taken > 0 then
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
    values (the_customer, moment, 'return', -taken, balance_after, the_cause, the_label);
    update loyalty_account set balance = balance_after where customer_id = the_customer;
  end if;
  insert into loyalty_claw_back (customer_id, cause, purchase_id, at, points, taken, lapsed, owed)
  values (the_customer, the_cause, the_purchase, moment, the_points, loyalty_claw_back.taken, had_lapsed, due);
  if due > 0 then
    insert into loyalty_debt (customer_id, cause, owed_at, points, remaining)
    values (the_customer, the_cause, moment, due, due);
  end if;

  update loyalty_earned_day set through = through - the_points
  where customer_id = the_customer and day >= club_day(bought.at);
  delete from loyalty_earned_day
  where customer_id = the_customer and day = club_day(bought.at) and points = the_points;
  update loyalty_earned_day set points = points - the_points
  where customer_id = the_customer and day = club_day(bought.at);
  debt_after := loyalty_debt_of(the_customer);
  outcome := 'done';
end $$;

create function loyalty_reissue(
  the_old_code text, the_code text, moment timestamptz,
  out outcome text, out voucher_id bigint, out customer_id bigint, out amount_cents integer, out expires_at timestamptz,
  out email text, out firstname text, out language text
) language plpgsql as $$
declare
  account loyalty_account;
  old loyalty_voucher;
begin
  select c.customer_id into customer_id from loyalty_voucher_code c where c.code = the_old_code;
  perform 1 from customer where id = loyalty_reissue.customer_id for no key update;
  select * into account from loyalty_account a where a.customer_id = loyalty_reissue.customer_id for update;
  if not found or account.state = 'erased' then
    outcome := 'nobody';
    return;
  end if;
  perform 1 from loyalty_entry e
  where e.customer_id = loyalty_reissue.customer_id and e.cause = 'reissue:' || the_old_code;
  if found then
    outcome := 'repeated';
    return;
  end if;
  insert into loyalty_voucher_code (code, customer_id) values (the_code, loyalty_reissue.customer_id)
  on conflict do nothing;
  if not found then
    outcome := 'code_taken';
    return;
  end if;
  select * into old from loyalty_voucher v
  where v.customer_id = loyalty_reissue.customer_id and v.code = the_old_code;
  amount_cents := old.amount_cents;
  expires_at := greatest(old.expires_at, club_day_end(club_day(moment) + 30));
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
  values (loyalty_reissue.customer_id, moment, 'reissue', 0, account.balance, 'reissue:' || the_old_code,
    jsonb_build_object('reward', old.reward_id))
  returning id into voucher_id;
  insert into loyalty_voucher
    (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
  values (loyalty_reissue.customer_id, voucher_id, old.programme_id, old.reward_id, the_code, 0, old.amount_cents, moment,
    loyalty_reissue.expires_at);
  select c.email, c.firstname, c.language into email, firstname, language
  from customer c where c.id = loyalty_reissue.customer_id;
  outcome := 'done';
end $$;

create function shop_member(the_customer bigint, the_day date, moment timestamptz) returns jsonb
  language sql stable
  return (
    select jsonb_build_object(
      'id', a.customer_id, 'firstname', c.firstname, 'lastname', c.lastname, 'language', c.language,
      'programmeId', p.id,
      'available', a.balance - coalesce((
        select sum(remaining) from loyalty_lot l
        where l.customer_id = a.customer_id and l.remaining > 0 and l.expires_at <= moment), 0),
      'debt', loyalty_debt_of(a.customer_id),
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

create function shop_vouchers(the_customer bigint, the_codes text[], moment timestamptz) returns jsonb
  language sql stable
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'code', v.code, 'customerId', v.customer_id, 'valueCents', v.amount_cents,
      'minimumCents', coalesce(r.minimum_basket_cents, v.amount_cents),
      'obtainedAt', v.obtained_at, 'expiresAt', v.expires_at, 'usedAt', coalesce(u.used_at, v.used_at),
      'erased', a.state = 'erased',
      'hold', case when h.code is not null then jsonb_build_object(
        'shopId', h.shop_id, 'number', h.number, 'heldAt', h.held_at, 'until', h.until) end) order by v.expires_at, v.id)
    from (
      select v.* from loyalty_voucher_code c
      join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code
      where c.code = any (the_codes)
      union
      select v.* from loyalty_voucher v
      where v.customer_id = the_customer and v.used_at is null and v.expires_at > moment
        and not exists (select from loyalty_voucher_use u where u.code = v.code)
    ) v
    join loyalty_account a on a.customer_id = v.customer_id
    join loyalty_reward r on r.programme_id = v.programme_id and r.id = v.reward_id
    left join loyalty_voucher_use u on u.code = v.code
    left join loyalty_voucher_hold h on h.code = v.code), '[]');

create function shop_sale_facts(
  the_card text, the_customer bigint, the_codes text[], sold_at timestamptz, moment timestamptz, locks boolean
) returns jsonb language plpgsql as $$
declare
  named bigint := the_customer;
begin
  if named is null and the_card is not null then
    select customer_id into named from loyalty_card where number = the_card;
  end if;
  if named is null then
    select c.customer_id into named from loyalty_voucher_code c
    where c.code = any (the_codes) order by array_position(the_codes, c.code) limit 1;
  end if;
  if locks then
    perform 1 from customer where id = named for no key update;
    perform 1 from loyalty_account where customer_id = named for update;
    perform 1 from loyalty_voucher_code where code = any (the_codes) order by code for update;
  end if;
  return jsonb_build_object(
    'namedId', named,
    'language', (select c.language from customer c where c.id = named),
    'member', shop_member(named, club_day(sold_at), moment),
    'isFirst', not exists (select from shop_sale s where s.customer_id = named),
    'salesThatDay', (
      select count(*) from shop_sale s
      where s.customer_id = named
        and s.sold_at >= club_day(shop_sale_facts.sold_at)::timestamp at time zone 'Europe/Paris'
        and s.sold_at < (club_day(shop_sale_facts.sold_at) + 1)::timestamp at time zone 'Europe/Paris'),
    'vouchers', case when cardinality(the_codes) > 0 then shop_vouchers(null, the_codes, moment) else '[]' end);
end $$;

create function shop_receipt_open(
  the_shop integer, the_number text, the_hash bytea, moment timestamptz, out outcome text, out returns_wait boolean
) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(the_shop || ':' || the_number, 17));
  insert into shop_receipt (shop_id, number, content_hash, arrived_at)
  values (the_shop, the_number, the_hash, moment) on conflict do nothing;
  if found then
    outcome := 'new';
    returns_wait := exists (
      select from shop_return r
      where r.sale_shop_id = the_shop and r.sale_number = the_number and r.state = 'waiting');
    return;
  end if;
  select case when r.content_hash = the_hash then 'same' else 'other' end into outcome
  from shop_receipt r where r.shop_id = the_shop and r.number = the_number;
end $$;

create function shop_sale_lock(the_shop integer, the_number text) returns jsonb language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(the_shop || ':' || the_number, 17));
  return (
    select jsonb_build_object(
      'shopId', s.shop_id, 'number', s.number, 'soldAt', s.sold_at, 'customerId', s.customer_id, 'whole', s.whole,
      'lines', s.lines, 'vouchers', s.vouchers, 'entryId', s.entry_id,
      'rule', case when s.points_per_euro is not null then jsonb_build_object(
        'pointsPerEuro', s.points_per_euro, 'multiplierHundredths', s.multiplier_hundredths) end,
      'returned', coalesce((
        select jsonb_agg(refund)
        from shop_return r cross join jsonb_array_elements(r.refunds) refund
        where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied'), '[]'))
    from shop_sale s
    where s.shop_id = the_shop and s.number = the_number);
end $$;

create function shop_call(
  the_prefix text, the_secret_hash bytea, the_scopes text[], most_calls integer, moment timestamptz,
  out outcome text, out shop_id integer, out shop_name text, out scopes text[], out misses integer, out by_contact integer,
  out wait_seconds integer
) language plpgsql as $$
declare
  key shop_key;
  calls_now integer;
begin
  select * into key from shop_key k
  where k.prefix = the_prefix and k.secret_hash = the_secret_hash
    and k.revoked_at is null and (k.ends_at is null or k.ends_at > moment);
  if not found then
    outcome := 'key_invalid';
    return;
  end if;
  shop_id := key.shop_id;
  shop_name := (select s.name from shop s where s.id = key.shop_id);
  scopes := key.scopes;
  insert into shop_key_use as u (prefix, minute, calls, misses, by_contact)
  values (the_prefix, date_trunc('minute', moment), 1, 0, 0)
  on conflict (prefix) do update set
    minute = excluded.minute,
    calls = case when u.minute = excluded.minute then u.calls + 1 else 1 end,
    misses = case when u.minute = excluded.minute then u.misses else 0 end,
    by_contact = case when u.minute = excluded.minute then u.by_contact else 0 end
  returning u.calls, u.misses, u.by_contact into calls_now, misses, by_contact;
  wait_seconds := ceil(60 - extract(second from moment));
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

create function shop_identify(
  the_prefix text, the_secret_hash bytea, most_calls integer, most_misses integer, most_by_contact integer,
  the_kind text, the_value text, the_entry_mode text, moment timestamptz,
  out outcome text, out wait_seconds integer, out shop_id integer, out members jsonb
) language plpgsql as $$
declare
  call record;
  found_ids bigint[];
begin
  perform set_config('synchronous_commit', 'off', true);
  select * into call from shop_call(the_prefix, the_secret_hash, array['identify'], most_calls, moment);
  outcome := call.outcome;
  wait_seconds := call.wait_seconds;
  shop_id := call.shop_id;
  if outcome <> 'done' then
    return;
  end if;
  if call.misses >= most_misses or (the_kind in ('email', 'phone') and call.by_contact >= most_by_contact) then
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
  insert into shop_look_up (customer_id, at, key_prefix, shop_id, found_by, entry_mode)
  select (member ->> 'id')::bigint, moment, the_prefix, shop_identify.shop_id, the_kind, the_entry_mode
  from jsonb_array_elements(members) member;
end $$;
