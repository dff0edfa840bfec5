-- The back office's customers: a customer can be blocked, large gestures and erasures wait for a second person, and two
-- accounts of one person become one.

alter table customer add column blocked_at timestamptz;

-- An account that has become part of another. Where it is named, the other is meant.
create table customer_merge (
  customer_id bigint primary key,
  into_id bigint not null,
  at timestamptz not null
);
create index customer_merge_into on customer_merge (into_id);

-- What somebody of the back office gave a customer or asked for: done at once, or once a second person has approved. The
-- limits of a day are counted here. An erasure deletes note and text.
create table office_request (
  customer_id bigint not null,
  id bigint generated always as identity unique,
  kind text not null check (kind in ('points', 'voucher', 'erase')),
  state text not null check (state in ('done', 'waiting', 'approved', 'declined')),
  -- Of an adjustment the points, with their sign; of a voucher what its reward costs.
  points integer not null default 0,
  -- What they are worth.
  cents integer not null default 0,
  reward_id integer,
  customer_text text,
  reason text not null,
  note text,
  asked_by integer not null references staff,
  asked_at timestamptz not null,
  decided_by integer references staff,
  decided_at timestamptz,
  primary key (customer_id, id),
  check ((state in ('done', 'waiting')) = (decided_by is null)),
  check (decided_by <> asked_by)
);
create index office_request_waiting on office_request (id) where state = 'waiting';
create index office_request_day on office_request (asked_by, asked_at);

create or replace function name_folded(the_text text) returns text
  language sql immutable parallel safe
  return trim(regexp_replace(regexp_replace(
    replace(replace(replace(replace(replace(lower(normalize(
      replace(replace(replace(the_text, 'Œ', 'oe'), 'Æ', 'ae'), 'Ø', 'o'), nfkd)),
      'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae'), 'ø', 'o'), 'ł', 'l'),
    '[\u0300-\u036f]', '', 'g'), '[\s''’.-]+', ' ', 'g'));

create or replace function customer_survivor(the_customer bigint) returns bigint
  language sql stable
  return coalesce((select into_id from customer_merge where customer_id = the_customer), the_customer);

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
  amount_cents := reward.amount_cents;
  reward_name := reward.name;
  expires_at := club_day_end(club_day(moment) + reward.valid_days);
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
  values (the_customer, moment, 'gift', 0, account.balance, 'gift:' || the_code,
    jsonb_build_object('reward', the_reward))
  returning id into voucher_id;
  insert into loyalty_voucher
    (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
  values (the_customer, voucher_id, the_programme, the_reward, the_code, 0, reward.amount_cents, moment,
    loyalty_gift.expires_at);
  outcome := 'done';
end $$;

create or replace function loyalty_claw_back(
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
  survivor bigint;
begin
  perform 1 from customer where id = the_customer for no key update;
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state = 'erased' then
    select m.into_id into survivor from customer_merge m where m.customer_id = the_customer;
    if found then
      select e.* into bought from loyalty_entry o
      join loyalty_entry e on e.customer_id = survivor and e.cause = o.cause
      where o.customer_id = the_customer and o.id = the_purchase;
      select c.outcome, c.taken, c.balance_after, c.debt_after into outcome, taken, balance_after, debt_after
      from loyalty_claw_back(survivor, bought.id, the_points, the_cause, the_label, moment) c;
      return;
    end if;
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

create or replace function loyalty_reissue(
  the_old_code text, the_code text, moment timestamptz,
  out outcome text, out voucher_id bigint, out customer_id bigint, out amount_cents integer, out expires_at timestamptz,
  out email text, out firstname text, out language text
) language plpgsql as $$
declare
  account loyalty_account;
  old loyalty_voucher;
  owner bigint;
begin
  select c.customer_id into owner from loyalty_voucher_code c where c.code = the_old_code;
  -- Accounts may be merged while this waits for the lock.
  loop
    customer_id := customer_survivor(owner);
    perform 1 from customer where id = loyalty_reissue.customer_id for no key update;
    select * into account from loyalty_account a where a.customer_id = loyalty_reissue.customer_id for update;
    exit when customer_survivor(owner) is not distinct from loyalty_reissue.customer_id;
  end loop;
  if account.customer_id is null or account.state = 'erased' then
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
  where v.customer_id = owner and v.code = the_old_code;
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

create or replace function loyalty_merge_voucher(
  the_old_code text, the_code text, the_survivor bigint, moment timestamptz,
  out outcome text, out voucher_id bigint, out amount_cents integer, out expires_at timestamptz
) language plpgsql as $$
declare
  old loyalty_voucher;
  account loyalty_account;
begin
  select v.* into old from loyalty_voucher_code c
  join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code where c.code = the_old_code;
  insert into loyalty_voucher_code (code, customer_id) values (the_code, the_survivor) on conflict do nothing;
  if not found then
    outcome := 'code_taken';
    return;
  end if;
  select * into account from loyalty_account where customer_id = the_survivor;
  amount_cents := old.amount_cents;
  expires_at := old.expires_at;
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
  values (the_survivor, moment, 'reissue', 0, account.balance, 'reissue:' || the_old_code,
    jsonb_build_object('reward', old.reward_id))
  returning id into voucher_id;
  insert into loyalty_voucher
    (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
  values (the_survivor, voucher_id, old.programme_id, old.reward_id, the_code, 0, old.amount_cents, moment,
    old.expires_at);
  outcome := 'done';
end $$;

create or replace function loyalty_merge(
  the_other bigint, the_survivor bigint, the_spent_label jsonb, the_gift_label jsonb, moment timestamptz,
  out outcome text, out moved integer, out gift_taken integer, out balance_after integer, out debt_after integer
) language plpgsql as $$
declare
  other loyalty_account;
  survivor loyalty_account;
  credit record;
  lapsed record;
  gift record;
  debt record;
  known boolean;
  copy_id bigint;
  spent integer;
  given_back integer;
  due integer;
begin
  -- In one order: of two merges at once, neither waits for the other.
  perform 1 from customer where id in (the_other, the_survivor) order by id for update;
  perform 1 from loyalty_account where customer_id in (the_other, the_survivor) order by customer_id for update;
  update customer_merge set into_id = the_survivor where into_id = the_other;
  insert into customer_merge (customer_id, into_id, at) values (the_other, the_survivor, moment);
  moved := 0;
  gift_taken := 0;
  outcome := 'done';
  select * into other from loyalty_account where customer_id = the_other;
  if not found then
    return;
  end if;
  select * into survivor from loyalty_account where customer_id = the_survivor;
  if not found or survivor.state <> 'active' then
    outcome := 'not_a_member';
    return;
  end if;
  moved := other.balance - loyalty_expire(the_other, moment);
  balance_after := survivor.balance - loyalty_expire(the_survivor, moment);

  for credit in
    select e.*, l.remaining from loyalty_entry e
    join loyalty_lot l on l.customer_id = e.customer_id and l.entry_id = e.id
    where e.customer_id = the_other and e.points > 0 order by e.id
  loop
    -- Both may have had the same event; a welcome gift is one per person, and is judged below.
    known := credit.kind = 'welcome' or exists (
      select from loyalty_entry e where e.customer_id = the_survivor and e.cause = credit.cause);
    balance_after := balance_after + credit.points;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at)
    values (the_survivor, credit.at,
      case when known and credit.kind in ('welcome', 'event') then 'adjust' else credit.kind end,
      credit.points, balance_after,
      case when known then 'merged:' || the_other || ':' || credit.cause else credit.cause end,
      credit.label, credit.expires_at)
    returning id into copy_id;
    insert into loyalty_lot (customer_id, entry_id, expires_at, remaining)
    values (the_survivor, copy_id, credit.expires_at, credit.remaining);
    insert into loyalty_claw_back (customer_id, cause, purchase_id, at, points, taken, lapsed, owed)
    select the_survivor, c.cause, copy_id, c.at, c.points, c.taken, c.lapsed, c.owed
    from loyalty_claw_back c where c.customer_id = the_other and c.purchase_id = credit.id;
    select e.at, e.points into lapsed from loyalty_entry e
    where e.customer_id = the_other and e.cause = 'expiry:' || credit.id;
    if found then
      balance_after := balance_after + lapsed.points;
      insert into loyalty_entry (customer_id, at, kind, points, balance, cause)
      values (the_survivor, lapsed.at, 'expiry', lapsed.points, balance_after, 'expiry:' || copy_id);
    end if;
  end loop;
  select coalesce(-sum(points) filter (where kind in ('reward', 'adjust')), 0),
    coalesce(-sum(points) filter (where kind in ('return', 'settle')), 0)
  into spent, given_back from loyalty_entry where customer_id = the_other and points < 0;
  if spent > 0 then
    balance_after := balance_after - spent;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
    values (the_survivor, moment, 'adjust', -spent, balance_after, 'merged:' || the_other || ':spent', the_spent_label);
  end if;
  if given_back > 0 then
    balance_after := balance_after - given_back;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
    values (the_survivor, moment, 'settle', -given_back, balance_after, 'merged:' || the_other || ':returned',
      the_spent_label);
  end if;
  insert into loyalty_earned_day as d (customer_id, day, points, through)
  select the_survivor, o.day, o.points, 0 from loyalty_earned_day o where o.customer_id = the_other
  on conflict (customer_id, day) do update set points = d.points + excluded.points;
  update loyalty_earned_day d set through = total.through
  from (select day, sum(points) over (order by day) as through from loyalty_earned_day
        where customer_id = the_survivor) total
  where d.customer_id = the_survivor and d.day = total.day and d.through <> total.through;
  insert into loyalty_debt (customer_id, cause, owed_at, points, remaining, waived)
  select the_survivor, o.cause, o.owed_at, o.points, o.remaining, o.waived
  from loyalty_debt o where o.customer_id = the_other;
  update shop_sale s set customer_id = the_survivor, entry_id = (
    select copied.id from loyalty_entry e
    join loyalty_entry copied on copied.customer_id = the_survivor and copied.cause = e.cause
    where e.customer_id = the_other and e.id = s.entry_id)
  where s.customer_id = the_other;
  update loyalty_card set customer_id = the_survivor where customer_id = the_other;
  update loyalty_account set balance = balance_after, member_since = least(member_since, other.member_since)
  where customer_id = the_survivor;

  if moved > 0 then
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause)
    values (the_other, moment, 'adjust', -moved, 0, 'merged:into:' || the_survivor);
    update loyalty_lot set remaining = 0 where customer_id = the_other and remaining > 0;
  end if;
  update loyalty_debt set waived = waived + remaining, remaining = 0 where customer_id = the_other and remaining > 0;
  update loyalty_account set state = 'erased', card_number = null, balance = 0 where customer_id = the_other;

  for gift in
    select e.id, e.points from loyalty_entry e
    where e.customer_id = the_survivor and e.points > 0 and (e.kind = 'welcome' or e.cause ~ '^merged:.*:welcome$')
      and not exists (
        select from loyalty_claw_back c where c.customer_id = the_survivor and c.purchase_id = e.id)
    order by e.at, e.id offset 1
  loop
    perform loyalty_claw_back(the_survivor, gift.id, gift.points, 'merged:' || the_other || ':gift:' || gift.id,
      the_gift_label, moment);
    gift_taken := gift_taken + gift.points;
  end loop;

  debt_after := loyalty_debt_of(the_survivor);
  select a.balance into balance_after from loyalty_account a where a.customer_id = the_survivor;
  due := least(debt_after, balance_after);
  if due = 0 then
    return;
  end if;
  perform loyalty_move(the_survivor, -due, 'settle', 'settle:merged:' || the_other, '{}', moment, moment);
  balance_after := balance_after - due;
  debt_after := debt_after - due;
  for debt in
    select d.id, d.remaining from loyalty_debt d
    where d.customer_id = the_survivor and d.remaining > 0 order by d.owed_at, d.id
  loop
    update loyalty_debt d set remaining = d.remaining - least(d.remaining, due)
    where d.customer_id = the_survivor and d.id = debt.id;
    due := due - least(debt.remaining, due);
    exit when due = 0;
  end loop;
end $$;

create or replace function shop_member(the_customer bigint, the_day date, moment timestamptz) returns jsonb
  language sql stable
  return (
    select jsonb_build_object(
      'id', a.customer_id, 'firstname', c.firstname, 'lastname', c.lastname, 'language', c.language,
      'blocked', c.blocked_at is not null,
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

create or replace function shop_vouchers(the_customer bigint, the_codes text[], moment timestamptz) returns jsonb
  language sql stable
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'code', v.code, 'customerId', v.customer_id, 'valueCents', v.amount_cents,
      'minimumCents', coalesce(r.minimum_basket_cents, v.amount_cents),
      'obtainedAt', v.obtained_at, 'expiresAt', v.expires_at, 'usedAt', coalesce(u.used_at, v.used_at),
      'erased', a.state = 'erased',
      'blocked', exists (select from customer c where c.id = v.customer_id and c.blocked_at is not null),
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
    'member', shop_member(named, club_day(sold_at), moment),
    'isFirst', not exists (select from shop_sale s where s.customer_id = named),
    'salesThatDay', (
      select count(*) from shop_sale s
      where s.customer_id = named
        and s.sold_at >= club_day(shop_sale_facts.sold_at)::timestamp at time zone 'Europe/Paris'
        and s.sold_at < (club_day(shop_sale_facts.sold_at) + 1)::timestamp at time zone 'Europe/Paris'),
    'vouchers', case when cardinality(the_codes) > 0 then shop_vouchers(null, the_codes, moment) else '[]' end);
end $$;
