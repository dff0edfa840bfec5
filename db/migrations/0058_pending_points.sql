-- Points of a purchase arrive some days after it, unused vouchers are cancelled before a debt arises, and large sales are
-- reviewed: what the programme says about it, and where it is written down.
alter table loyalty_programme add column pending_days integer not null default 0 check (pending_days between 0 and 60);
alter table loyalty_programme add column review_amount_cents integer not null default 300000 check (review_amount_cents > 0);
alter table loyalty_programme add column review_per_day integer not null default 5 check (review_per_day > 0);

-- A purchase whose points arrive later. `remaining` is what will be credited, `counts` what will count for the status: an
-- exchange may use up points of the new purchase, which still count.
create table loyalty_pending (
  customer_id bigint not null,
  cause text not null,
  sold_at timestamptz not null,
  arrives_at timestamptz not null,
  points integer not null check (points > 0),
  remaining integer not null check (remaining between 0 and points),
  counts integer not null check (counts between 0 and points),
  label jsonb not null default '{}',
  arrived_at timestamptz,
  entry_id bigint,
  primary key (customer_id, cause)
);
create index loyalty_pending_open on loyalty_pending (customer_id, arrives_at) include (remaining, counts)
  where arrived_at is null;
create index loyalty_pending_due on loyalty_pending (arrives_at) where arrived_at is null;

-- From which lots a debit took its points; of a voucher that replaces another, from which the first one was paid.
create table loyalty_lot_use (
  customer_id bigint not null,
  entry_id bigint not null,
  lot_id bigint not null,
  points integer not null check (points > 0),
  primary key (customer_id, entry_id, lot_id)
);
create index loyalty_lot_use_lot on loyalty_lot_use (customer_id, lot_id);

-- A voucher whose points were needed for a return. One that a receipt held then is marked, and cancelled when the hold ends.
create table loyalty_voucher_cancel (
  code text primary key,
  customer_id bigint not null,
  marked_at timestamptz not null,
  cancelled_at timestamptz,
  entry_id bigint
);
create index loyalty_voucher_cancel_customer on loyalty_voucher_cancel (customer_id);
create index loyalty_voucher_cancel_marked on loyalty_voucher_cancel (customer_id) where cancelled_at is null;

alter table loyalty_claw_back add column purchase text;
alter table loyalty_claw_back add column counted_on date;
alter table loyalty_claw_back add column pending integer not null default 0 check (pending >= 0);
alter table loyalty_claw_back alter column purchase_id drop not null;
alter table loyalty_claw_back
  drop constraint loyalty_claw_back_check,
  add constraint loyalty_claw_back_check check (points = pending + taken + lapsed + owed) not valid;
update loyalty_claw_back c set purchase = e.cause, counted_on = club_day(e.at)
from loyalty_entry e where e.customer_id = c.customer_id and e.id = c.purchase_id;

alter table loyalty_entry
  drop constraint loyalty_entry_kind_check,
  add constraint loyalty_entry_kind_check check (kind in (
    'welcome', 'event', 'grant', 'purchase', 'reward', 'expiry', 'return', 'settle', 'reissue', 'gift', 'adjust',
    'cancel')) not valid;
alter table loyalty_entry
  drop constraint loyalty_entry_check,
  add constraint loyalty_entry_check check (case
    when kind in ('welcome', 'event', 'grant', 'purchase', 'cancel') then points > 0
    when kind in ('reward', 'expiry', 'return', 'settle') then points < 0
    when kind in ('reissue', 'gift') then points = 0
    else points <> 0 end) not valid;
alter table loyalty_entry
  drop constraint loyalty_entry_check1,
  add constraint loyalty_entry_check1 check ((expires_at is null) = (points <= 0 or kind = 'cancel')) not valid;

-- The numbers of the response, for calls that are repeated.
alter table shop_sale add column pending integer;
alter table shop_sale add column arrives_at timestamptz;
alter table shop_sale add column next_pending jsonb;
alter table shop_sale add column waiting_points integer not null default 0;
alter table shop_return add column pending integer;
alter table shop_return add column next_pending jsonb;
alter table shop_return add column cancelled jsonb not null default '[]';

create or replace function club_day_start(day date) returns timestamptz
  language sql immutable parallel safe
  return day::timestamp at time zone 'Europe/Paris';

create or replace function loyalty_pending_of(the_customer bigint, moment timestamptz) returns jsonb
  language sql stable
  return (
    select jsonb_build_object(
      'points', coalesce(sum(p.remaining) filter (where p.arrives_at > moment), 0),
      'due', coalesce(sum(p.remaining) filter (where p.arrives_at <= moment), 0),
      'next', (
        select jsonb_build_object('points', sum(n.remaining), 'date', club_day(n.arrives_at)) from loyalty_pending n
        where n.customer_id = the_customer and n.arrived_at is null and n.remaining > 0 and n.arrives_at > moment
        group by n.arrives_at order by n.arrives_at limit 1))
    from loyalty_pending p where p.customer_id = the_customer and p.arrived_at is null);

create or replace function loyalty_earned(the_customer bigint, the_months integer, today date) returns integer
  language sql stable
  return coalesce((
    select through from loyalty_earned_day
    where customer_id = the_customer and day <= today order by day desc limit 1), 0)
  - coalesce((
    select through from loyalty_earned_day
    where customer_id = the_customer and day < loyalty_counts_from(today, the_months) order by day desc limit 1), 0)
  + coalesce((
    select sum(p.counts) from loyalty_pending p
    where p.customer_id = the_customer and p.arrived_at is null and p.arrives_at <= club_day_start(today)), 0)::integer;

create or replace function loyalty_take_lots(
  the_customer bigint, the_points integer, the_entry bigint, the_first bigint
) returns void language sql as $$
  with open as (
    select l.entry_id, l.remaining, sum(l.remaining) over (
      order by (l.entry_id is not distinct from the_first) desc, l.expires_at, l.entry_id) - l.remaining as before
    from loyalty_lot l where l.customer_id = the_customer and l.remaining > 0
  ), taken as (
    select entry_id, least(remaining, the_points - before)::integer as points from open where before < the_points
  ), recorded as (
    insert into loyalty_lot_use (customer_id, entry_id, lot_id, points)
    select the_customer, the_entry, t.entry_id, t.points from taken t
  )
  update loyalty_lot l set remaining = l.remaining - t.points
  from taken t where l.customer_id = the_customer and l.entry_id = t.entry_id;
$$;

create or replace function loyalty_add(
  the_customer bigint, the_points integer, the_counted integer, the_kind text, the_cause text, the_label jsonb,
  earned_at timestamptz
) returns bigint language plpgsql as $$
declare
  account loyalty_account;
  lapses_at timestamptz;
  written bigint;
begin
  if the_points > 0 then
    update loyalty_account a set balance = a.balance + the_points where a.customer_id = the_customer returning * into account;
    -- Points last as the version in force when they were earned says.
    select club_day_end((club_day(earned_at) + make_interval(months => p.points_valid_months))::date) into lapses_at
    from loyalty_programme_at(account.programme_id, earned_at) p;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at)
    values (the_customer, earned_at, the_kind, the_points, account.balance, the_cause, the_label, lapses_at)
    returning id into written;
    insert into loyalty_lot (customer_id, entry_id, expires_at, remaining)
    values (the_customer, written, lapses_at, the_points);
  end if;
  if the_counted > 0 then
    insert into loyalty_earned_day as earned (customer_id, day, points, through)
    values (the_customer, club_day(earned_at), the_counted, the_counted + coalesce((
      select through from loyalty_earned_day
      where customer_id = the_customer and day < club_day(earned_at) order by day desc limit 1), 0))
    on conflict (customer_id, day) do update
      set points = earned.points + the_counted, through = earned.through + the_counted;
    -- Points written down late count in the totals of the days since.
    update loyalty_earned_day set through = through + the_counted
    where customer_id = the_customer and day > club_day(earned_at);
  end if;
  return written;
end $$;

create or replace function loyalty_expire(the_customer bigint, moment timestamptz) returns integer
language plpgsql as $$
declare
  lot record;
  taken integer := 0;
  again bigint;
begin
  for lot in
    select entry_id, expires_at, remaining from loyalty_lot
    where customer_id = the_customer and remaining > 0 and expires_at <= moment
    order by expires_at, entry_id
  loop
    select count(*) into again from loyalty_entry e
    where e.customer_id = the_customer and e.kind = 'expiry'
      and (e.cause = 'expiry:' || lot.entry_id or e.cause like 'expiry:' || lot.entry_id || ':%');
    with account as (
      update loyalty_account set balance = balance - lot.remaining
      where customer_id = the_customer returning balance
    )
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause)
    select the_customer, lot.expires_at, 'expiry', -lot.remaining, balance,
      'expiry:' || lot.entry_id || case when again > 0 then ':' || again else '' end from account;
    update loyalty_lot set remaining = 0 where customer_id = the_customer and entry_id = lot.entry_id;
    taken := taken + lot.remaining;
  end loop;
  return taken;
end $$;

create or replace function loyalty_settle(the_customer bigint, the_cause text, moment timestamptz) returns integer
language plpgsql as $$
declare
  owed integer := loyalty_debt_of(the_customer);
  account loyalty_account;
  due integer;
  written bigint;
begin
  if owed = 0 then
    return 0;
  end if;
  select * into account from loyalty_account a where a.customer_id = the_customer;
  due := least(owed, account.balance);
  if due = 0 then
    return owed;
  end if;
  update loyalty_account a set balance = a.balance - due where a.customer_id = the_customer;
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause)
  values (the_customer, moment, 'settle', -due, account.balance - due, the_cause)
  returning id into written;
  perform loyalty_take_lots(the_customer, due, written, null);
  with open as (
    select d.id, d.remaining, sum(d.remaining) over (order by d.owed_at, d.id) - d.remaining as before
    from loyalty_debt d where d.customer_id = the_customer and d.remaining > 0
  )
  update loyalty_debt d set remaining = d.remaining - least(open.remaining, due - open.before)
  from open where d.customer_id = the_customer and d.id = open.id and open.before < due;
  return owed - due;
end $$;

create or replace function loyalty_refill(
  the_customer bigint, the_voucher bigint, the_points integer, the_cause text, the_reward integer, moment timestamptz
) returns bigint language plpgsql as $$
declare
  new_balance integer;
  written bigint;
begin
  update loyalty_account a set balance = a.balance + the_points where a.customer_id = the_customer
  returning a.balance into new_balance;
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
  values (the_customer, moment, 'cancel', the_points, new_balance, the_cause, jsonb_build_object('reward', the_reward))
  returning id into written;
  update loyalty_lot l set remaining = l.remaining + u.points
  from loyalty_lot_use u
  where u.customer_id = the_customer and u.entry_id = the_voucher
    and l.customer_id = u.customer_id and l.entry_id = u.lot_id;
  perform loyalty_expire(the_customer, moment);
  perform loyalty_settle(the_customer, 'settle:' || written, moment);
  return written;
end $$;

create or replace function loyalty_cancel_voucher(the_voucher loyalty_voucher, moment timestamptz) returns void
language plpgsql as $$
declare
  written bigint;
begin
  written := loyalty_refill(the_voucher.customer_id, the_voucher.id, the_voucher.points, 'cancel:' || the_voucher.code,
    the_voucher.reward_id, moment);
  insert into loyalty_voucher_cancel as c (code, customer_id, marked_at, cancelled_at, entry_id)
  values (the_voucher.code, the_voucher.customer_id, moment, moment, written)
  on conflict (code) do update set cancelled_at = excluded.cancelled_at, entry_id = excluded.entry_id;
  delete from loyalty_voucher_hold h where h.code = the_voucher.code;
  perform graphile_worker.add_job('loyalty:voucher-cancelled', json_build_object(
    'customerId', the_voucher.customer_id, 'voucherId', the_voucher.id));
end $$;

create or replace function loyalty_cancel_vouchers(the_customer bigint, the_need integer, moment timestamptz)
returns jsonb language plpgsql as $$
declare
  voucher loyalty_voucher;
  cancelled jsonb := '[]';
begin
  -- As a purchase locks them: by code.
  perform 1 from loyalty_voucher_code c where c.customer_id = the_customer and c.code in (
    select v.code from loyalty_voucher v
    where v.customer_id = the_customer and v.points > 0 and v.used_at is null and v.expires_at > moment)
  order by c.code for update;
  for voucher in
    select v.* from loyalty_voucher v
    where v.customer_id = the_customer and v.points > 0 and v.used_at is null and v.expires_at > moment
      and not exists (select from loyalty_voucher_use u where u.code = v.code)
      and not exists (select from loyalty_voucher_cancel c where c.code = v.code)
      -- Of before lots were recorded.
      and exists (select from loyalty_lot_use u where u.customer_id = v.customer_id and u.entry_id = v.id)
    order by v.id desc
  loop
    exit when (select a.balance from loyalty_account a where a.customer_id = the_customer) >= the_need;
    if exists (select from loyalty_voucher_hold h where h.code = voucher.code and h.until > moment) then
      insert into loyalty_voucher_cancel (code, customer_id, marked_at) values (voucher.code, the_customer, moment);
    else
      perform loyalty_cancel_voucher(voucher, moment);
      cancelled := cancelled || jsonb_build_object('valueCents', voucher.amount_cents);
    end if;
  end loop;
  return cancelled;
end $$;

create or replace function loyalty_cancel_released(the_customer bigint, moment timestamptz) returns void
language plpgsql as $$
declare
  voucher loyalty_voucher;
begin
  for voucher in
    select v.* from loyalty_voucher_cancel c
    join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code
    where c.customer_id = the_customer and c.cancelled_at is null
      and not exists (select from loyalty_voucher_use u where u.code = c.code)
      and not exists (select from loyalty_voucher_hold h where h.code = c.code and h.until > moment)
    order by v.id desc
  loop
    perform 1 from loyalty_voucher_code c where c.code = voucher.code for update;
    if loyalty_debt_of(the_customer) = 0 then
      delete from loyalty_voucher_cancel c where c.code = voucher.code;
    elsif voucher.expires_at > moment then
      perform loyalty_cancel_voucher(voucher, moment);
    end if;
  end loop;
end $$;

create or replace function loyalty_arrive(the_customer bigint, moment timestamptz) returns void language plpgsql as $$
declare
  due loyalty_pending;
  written bigint;
  counted integer := 0;
  earned integer;
  reached integer;
begin
  for due in
    select * from loyalty_pending p
    where p.customer_id = the_customer and p.arrived_at is null and p.arrives_at <= moment order by p.sold_at, p.cause
  loop
    -- First, so that these points are not counted twice (db/functions/loyalty_earned.sql).
    update loyalty_pending p set arrived_at = moment where p.customer_id = the_customer and p.cause = due.cause;
    written := loyalty_add(
      the_customer, due.remaining, due.counts, 'purchase', due.cause, due.label, due.sold_at);
    counted := counted + due.counts;
    if written is not null then
      update loyalty_pending p set entry_id = written where p.customer_id = the_customer and p.cause = due.cause;
      update shop_sale s set entry_id = written
      where s.shop_id = split_part(due.cause, ':', 2)::integer and s.number = split_part(due.cause, ':', 3);
      perform loyalty_settle(the_customer, 'settle:' || written, moment);
    end if;
  end loop;
  if counted = 0 then
    return;
  end if;
  select loyalty_earned(the_customer, p.tier_months, club_day(moment)), (
    select t.id from loyalty_tier t
    where t.programme_id = p.id and t.points_required <= loyalty_earned(the_customer, p.tier_months, club_day(moment))
    order by t.points_required desc limit 1)
  into earned, reached
  from loyalty_account a cross join lateral loyalty_programme_at(a.programme_id, moment) p
  where a.customer_id = the_customer;
  if exists (
    select from loyalty_account a cross join lateral loyalty_programme_at(a.programme_id, moment) p
    join loyalty_tier t on t.programme_id = p.id and t.id = reached and t.points_required > earned - counted
    where a.customer_id = the_customer and a.state = 'active') then
    perform graphile_worker.add_job(
      'loyalty:status-reached', json_build_object('customerId', the_customer, 'tierId', reached, 'at', moment));
  end if;
end $$;

create or replace function loyalty_refresh(the_customer bigint, moment timestamptz) returns integer
language plpgsql as $$
begin
  perform 1 from customer where id = the_customer for no key update;
  perform 1 from loyalty_account where customer_id = the_customer for update;
  perform loyalty_arrive(the_customer, moment);
  perform loyalty_expire(the_customer, moment);
  perform loyalty_cancel_released(the_customer, moment);
  return (select a.balance from loyalty_account a where a.customer_id = the_customer);
end $$;

create or replace function loyalty_move(
  the_customer bigint, the_points integer, the_kind text, the_cause text, the_label jsonb,
  earned_at timestamptz, moment timestamptz,
  out outcome text, out entry_id bigint, out balance_after integer, out earned_before integer, out earned_after integer
) language plpgsql as $$
declare
  account loyalty_account;
  tier_months integer;
begin
  perform 1 from customer where id = the_customer for no key update;
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state <> 'active' then
    outcome := 'not_a_member';
    return;
  end if;
  -- The nightly job may be late: what has lapsed can be neither spent nor left in the balance, and what has arrived counts.
  balance_after := loyalty_refresh(the_customer, moment);

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
    update loyalty_account set balance = balance_after where customer_id = the_customer;
    perform loyalty_take_lots(the_customer, -the_points, entry_id, null);
  else
    -- The status is today's.
    select p.tier_months into tier_months from loyalty_programme_at(account.programme_id, moment) p;
    earned_before := loyalty_earned(the_customer, tier_months, club_day(moment));
    entry_id := loyalty_add(the_customer, the_points, the_points, the_kind, the_cause, the_label, earned_at);
    earned_after := loyalty_earned(the_customer, tier_months, club_day(moment));
  end if;
end $$;

create or replace function loyalty_credit(
  the_customer bigint, the_points integer, the_kind text, the_cause text, the_label jsonb,
  earned_at timestamptz, moment timestamptz,
  out outcome text, out entry_id bigint, out balance_after integer, out earned_before integer, out earned_after integer,
  out debt_after integer
) language plpgsql as $$
begin
  select m.outcome, m.entry_id, m.balance_after, m.earned_before, m.earned_after
  into outcome, entry_id, balance_after, earned_before, earned_after
  from loyalty_move(the_customer, the_points, the_kind, the_cause, the_label, earned_at, moment) m;
  debt_after := loyalty_debt_of(the_customer);
  if outcome <> 'done' or debt_after = 0 then
    return;
  end if;
  debt_after := loyalty_settle(the_customer, 'settle:' || entry_id, moment);
  select a.balance into balance_after from loyalty_account a where a.customer_id = the_customer;
end $$;

create or replace function loyalty_forfeit(the_customer bigint, moment timestamptz) returns integer
language plpgsql as $$
declare
  forfeited integer := loyalty_refresh(the_customer, moment);
  written bigint;
begin
  delete from loyalty_pending where customer_id = the_customer and arrived_at is null;
  if coalesce(forfeited, 0) = 0 then
    return 0;
  end if;
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause)
  values (the_customer, moment, 'adjust', -forfeited, 0, 'erased') returning id into written;
  perform loyalty_take_lots(the_customer, forfeited, written, null);
  update loyalty_account set balance = 0 where customer_id = the_customer;
  return forfeited;
end $$;

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
  -- Pending points that have arrived, or a voucher whose hold has ended, may settle it.
  if loyalty_debt_of(the_customer) > 0 then
    perform loyalty_refresh(the_customer, moment);
    if loyalty_debt_of(the_customer) > 0 then
      outcome := 'short';
      return;
    end if;
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

create or replace function loyalty_claw_back(
  the_customer bigint, the_purchase text, the_points integer, the_cause text, the_label jsonb, moment timestamptz,
  the_exchange text,
  out outcome text, out taken integer, out balance_after integer, out debt_after integer, out cancelled jsonb
) language plpgsql as $$
declare
  account loyalty_account;
  bought loyalty_entry;
  waiting loyalty_pending;
  earlier loyalty_claw_back;
  due integer := the_points;
  from_pending integer := 0;
  from_exchange integer := 0;
  from_balance integer := 0;
  had_lapsed integer := 0;
  counted_on date;
  written bigint;
  survivor bigint;
begin
  cancelled := '[]';
  perform 1 from customer where id = the_customer for no key update;
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state = 'erased' then
    select m.into_id into survivor from customer_merge m where m.customer_id = the_customer;
    if found then
      select c.outcome, c.taken, c.balance_after, c.debt_after, c.cancelled
      into outcome, taken, balance_after, debt_after, cancelled
      from loyalty_claw_back(survivor, the_purchase, the_points, the_cause, the_label, moment, the_exchange) c;
      return;
    end if;
    outcome := 'nobody';
    return;
  end if;
  balance_after := loyalty_refresh(the_customer, moment);
  select * into earlier from loyalty_claw_back c where c.customer_id = the_customer and c.cause = the_cause;
  if found then
    outcome := 'repeated';
    taken := earlier.taken + earlier.pending;
    debt_after := loyalty_debt_of(the_customer);
    return;
  end if;

  select * into waiting from loyalty_pending p where p.customer_id = the_customer and p.cause = the_purchase;
  if waiting.cause is not null and waiting.arrived_at is null then
    from_pending := least(waiting.remaining, due);
    due := due - from_pending;
    update loyalty_pending p set remaining = p.remaining - from_pending, counts = p.counts - the_points
    where p.customer_id = the_customer and p.cause = the_purchase;
  else
    select * into bought from loyalty_entry e where e.customer_id = the_customer and e.cause = the_purchase;
    counted_on := club_day(coalesce(bought.at, waiting.sold_at));
  end if;
  if due > 0 and the_exchange is not null then
    select least(p.remaining, due) into from_exchange from loyalty_pending p
    where p.customer_id = the_customer and p.cause = the_exchange and p.arrived_at is null;
    from_exchange := coalesce(from_exchange, 0);
    update loyalty_pending p set remaining = p.remaining - from_exchange
    where p.customer_id = the_customer and p.cause = the_exchange and from_exchange > 0;
    due := due - from_exchange;
  end if;
  -- What lapsed of its own lot, unless an earlier return counted that already.
  if due > 0 and bought.id is not null then
    select least(due, coalesce((
        select -sum(e.points) from loyalty_entry e
        where e.customer_id = the_customer and e.kind = 'expiry'
          and (e.cause = 'expiry:' || bought.id or e.cause like 'expiry:' || bought.id || ':%')), 0)
      - coalesce((
        select sum(c.lapsed) from loyalty_claw_back c
        where c.customer_id = the_customer and c.purchase = the_purchase), 0))
    into had_lapsed;
    due := due - had_lapsed;
  end if;
  if due > balance_after then
    cancelled := loyalty_cancel_vouchers(the_customer, due, moment);
    select a.balance into balance_after from loyalty_account a where a.customer_id = the_customer;
  end if;
  from_balance := least(due, balance_after);
  if from_balance > 0 then
    balance_after := balance_after - from_balance;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
    values (the_customer, moment, 'return', -from_balance, balance_after, the_cause, the_label)
    returning id into written;
    update loyalty_account set balance = balance_after where customer_id = the_customer;
    perform loyalty_take_lots(the_customer, from_balance, written, bought.id);
    due := due - from_balance;
  end if;
  insert into loyalty_claw_back
    (customer_id, cause, purchase, purchase_id, counted_on, at, points, pending, taken, lapsed, owed)
  values (the_customer, the_cause, the_purchase, bought.id, counted_on, moment, the_points, from_pending + from_exchange,
    from_balance, had_lapsed, due);
  if due > 0 then
    insert into loyalty_debt (customer_id, cause, owed_at, points, remaining)
    values (the_customer, the_cause, moment, due, due);
  end if;

  if counted_on is not null then
    update loyalty_earned_day set through = through - the_points
    where customer_id = the_customer and day >= counted_on;
    delete from loyalty_earned_day
    where customer_id = the_customer and day = counted_on and points = the_points;
    update loyalty_earned_day set points = points - the_points
    where customer_id = the_customer and day = counted_on;
  end if;
  taken := from_pending + from_exchange + from_balance;
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
  perform 1 from loyalty_entry e
  where e.customer_id = loyalty_reissue.customer_id and e.cause = 'cancel:' || the_old_code;
  if found then
    outcome := 'repeated';
    return;
  end if;
  select * into old from loyalty_voucher v
  where v.customer_id = owner and v.code = the_old_code;
  if old.points > 0 and loyalty_debt_of(loyalty_reissue.customer_id) > 0
     and exists (
       select from loyalty_lot_use u where u.customer_id = loyalty_reissue.customer_id and u.entry_id = old.id) then
    perform loyalty_refill(
      loyalty_reissue.customer_id, old.id, old.points, 'cancel:' || the_old_code, old.reward_id, moment);
    outcome := 'points_back';
    return;
  end if;
  insert into loyalty_voucher_code (code, customer_id) values (the_code, loyalty_reissue.customer_id)
  on conflict do nothing;
  if not found then
    outcome := 'code_taken';
    return;
  end if;
  amount_cents := old.amount_cents;
  expires_at := greatest(old.expires_at, club_day_end(club_day(moment) + 30));
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label)
  values (loyalty_reissue.customer_id, moment, 'reissue', 0, account.balance, 'reissue:' || the_old_code,
    jsonb_build_object('reward', old.reward_id))
  returning id into voucher_id;
  insert into loyalty_voucher
    (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
  values (loyalty_reissue.customer_id, voucher_id, old.programme_id, old.reward_id, the_code, old.points,
    old.amount_cents, moment, loyalty_reissue.expires_at);
  insert into loyalty_lot_use (customer_id, entry_id, lot_id, points)
  select u.customer_id, voucher_id, u.lot_id, u.points from loyalty_lot_use u
  where u.customer_id = loyalty_reissue.customer_id and u.entry_id = old.id;
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
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, copied)
  values (the_survivor, moment, 'reissue', 0, account.balance, 'reissue:' || the_old_code,
    jsonb_build_object('reward', old.reward_id), true)
  returning id into voucher_id;
  insert into loyalty_voucher
    (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
  values (the_survivor, voucher_id, old.programme_id, old.reward_id, the_code, old.points, old.amount_cents,
    moment, old.expires_at);
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
  known boolean;
  copy_id bigint;
  spent integer;
  given_back integer;
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
  moved := loyalty_refresh(the_other, moment);
  balance_after := loyalty_refresh(the_survivor, moment);

  for credit in
    select e.*, l.remaining from loyalty_entry e
    join loyalty_lot l on l.customer_id = e.customer_id and l.entry_id = e.id
    where e.customer_id = the_other and e.points > 0 order by e.id
  loop
    -- Both may have had the welcome gift or the same event: judged below.
    known := credit.kind = 'welcome' or exists (
      select from loyalty_entry e where e.customer_id = the_survivor and e.cause = credit.cause);
    balance_after := balance_after + credit.points;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at, copied)
    values (the_survivor, credit.at,
      case when known and credit.kind in ('welcome', 'event') then 'adjust' else credit.kind end,
      credit.points, balance_after,
      case when known then 'merged:' || the_other || ':' || credit.cause else credit.cause end,
      credit.label, credit.expires_at, true)
    returning id into copy_id;
    insert into loyalty_lot (customer_id, entry_id, expires_at, remaining)
    values (the_survivor, copy_id, credit.expires_at, credit.remaining);
    insert into loyalty_claw_back
      (customer_id, cause, purchase, purchase_id, counted_on, at, points, pending, taken, lapsed, owed)
    select the_survivor, c.cause, case when known then 'merged:' || the_other || ':' || c.purchase else c.purchase end,
      copy_id, c.counted_on, c.at, c.points, c.pending, c.taken, c.lapsed, c.owed
    from loyalty_claw_back c where c.customer_id = the_other and c.purchase_id = credit.id;
    insert into loyalty_lot_use (customer_id, entry_id, lot_id, points)
    select the_survivor, u.entry_id, copy_id, u.points from loyalty_lot_use u
    where u.customer_id = the_other and u.lot_id = credit.id;
    select max(e.at) as at, sum(e.points)::integer as points into lapsed from loyalty_entry e
    where e.customer_id = the_other and e.kind = 'expiry'
      and (e.cause = 'expiry:' || credit.id or e.cause like 'expiry:' || credit.id || ':%');
    if lapsed.points is not null then
      balance_after := balance_after + lapsed.points;
      insert into loyalty_entry (customer_id, at, kind, points, balance, cause, copied)
      values (the_survivor, lapsed.at, 'expiry', lapsed.points, balance_after, 'expiry:' || copy_id, true);
    end if;
  end loop;
  select coalesce(-sum(points) filter (where kind in ('reward', 'cancel') or kind = 'adjust' and points < 0), 0),
    coalesce(-sum(points) filter (where kind in ('return', 'settle')), 0)
  into spent, given_back from loyalty_entry where customer_id = the_other;
  if spent > 0 then
    balance_after := balance_after - spent;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, copied)
    values (the_survivor, moment, 'adjust', -spent, balance_after, 'merged:' || the_other || ':spent', the_spent_label,
      true);
  end if;
  if given_back > 0 then
    balance_after := balance_after - given_back;
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, copied)
    values (the_survivor, moment, 'settle', -given_back, balance_after, 'merged:' || the_other || ':returned',
      the_spent_label, true);
  end if;
  -- The lots of the vouchers that loyalty_merge_voucher has issued again.
  insert into loyalty_lot_use (customer_id, entry_id, lot_id, points)
  select the_survivor, e.id, u.lot_id, u.points from loyalty_voucher v
  join loyalty_entry e on e.customer_id = the_survivor and e.cause = 'reissue:' || v.code and e.copied
  join loyalty_lot_use u on u.customer_id = the_survivor and u.entry_id = v.id
  where v.customer_id = the_other;
  -- What was taken back while it was pending.
  insert into loyalty_claw_back
    (customer_id, cause, purchase, purchase_id, counted_on, at, points, pending, taken, lapsed, owed)
  select the_survivor, c.cause, c.purchase, null, c.counted_on, c.at, c.points, c.pending, c.taken, c.lapsed, c.owed
  from loyalty_claw_back c where c.customer_id = the_other and c.purchase_id is null;
  update loyalty_pending p set customer_id = the_survivor, entry_id = (
    select copied.id from loyalty_entry copied where copied.customer_id = the_survivor and copied.cause = p.cause)
  where p.customer_id = the_other;
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
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, copied)
    values (the_other, moment, 'adjust', -moved, 0, 'merged:into:' || the_survivor, true);
    update loyalty_lot set remaining = 0 where customer_id = the_other and remaining > 0;
  end if;
  update loyalty_debt set waived = waived + remaining, remaining = 0 where customer_id = the_other and remaining > 0;
  update loyalty_account set state = 'erased', card_number = null, balance = 0 where customer_id = the_other;

  for gift in
    select given.id, given.points, given.cause from (
      select e.id, e.at, e.points, e.cause,
        row_number() over (partition by regexp_replace(e.cause, '^(merged:[0-9]+:)+', '') order by e.at, e.id) as nth
      from loyalty_entry e
      where e.customer_id = the_survivor and e.points > 0 and e.cause ~ '^(merged:[0-9]+:)*(welcome$|event:)'
        and not exists (
          select from loyalty_claw_back c where c.customer_id = the_survivor and c.purchase_id = e.id)) given
    where given.nth > 1 order by given.at, given.id
  loop
    perform loyalty_claw_back(the_survivor, gift.cause, gift.points, 'merged:' || the_other || ':gift:' || gift.id,
      the_gift_label, moment, null);
    gift_taken := gift_taken + gift.points;
  end loop;

  debt_after := loyalty_debt_of(the_survivor);
  if debt_after > 0 then
    perform loyalty_cancel_vouchers(the_survivor, debt_after, moment);
    debt_after := loyalty_settle(the_survivor, 'settle:merged:' || the_other, moment);
  end if;
  select a.balance into balance_after from loyalty_account a where a.customer_id = the_survivor;
end $$;

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
        where l.customer_id = a.customer_id and l.remaining > 0 and l.expires_at <= moment), 0)
        + (pending ->> 'due')::integer,
      'debt', loyalty_debt_of(a.customer_id),
      'pending', pending,
      -- In other years than leap years, 29 February is 28 February.
      'birthdayToday', coalesce(club_day(moment) = (c.birthday + make_interval(years =>
        (extract(year from club_day(moment)) - extract(year from c.birthday))::integer))::date, false),
      'pointsPerEuro', p.points_per_euro,
      'arrivesAt', club_day_start(club_day(sold_at) + p.pending_days),
      'reviewAmountCents', p.review_amount_cents,
      'reviewPerDay', p.review_per_day,
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
    -- OFFSET 0: computed once.
    cross join lateral (select loyalty_pending_of(a.customer_id, moment) as pending offset 0) soon
    where a.customer_id = the_customer and a.state = 'active');

create or replace function shop_vouchers(the_customer bigint, the_codes text[], moment timestamptz) returns jsonb
  language sql stable
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'code', v.code, 'customerId', v.customer_id, 'valueCents', v.amount_cents,
      'minimumCents', coalesce(r.minimum_basket_cents, v.amount_cents),
      'obtainedAt', v.obtained_at, 'expiresAt', v.expires_at, 'usedAt', coalesce(u.used_at, v.used_at),
      'cancelled', x.code is not null and (x.cancelled_at is not null or coalesce(h.until, moment) <= moment),
      'toCancel', x.code is not null,
      'erased', a.state = 'erased',
      'blocked', exists (select from customer c where c.id = v.customer_id and c.blocked_at is not null),
      'unconfirmed', exists (select from customer c where c.id = v.customer_id and c.email_verified_at is null),
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
        and not exists (select from loyalty_voucher_cancel x where x.code = v.code and x.cancelled_at is not null)
    ) v
    join loyalty_account a on a.customer_id = v.customer_id
    join loyalty_reward r on r.programme_id = v.programme_id and r.id = v.reward_id
    left join loyalty_voucher_use u on u.code = v.code
    left join loyalty_voucher_cancel x on x.code = v.code
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
    perform loyalty_refresh(named, moment);
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
        and s.sold_at >= club_day_start(club_day(shop_sale_facts.sold_at))
        and s.sold_at < club_day_start(club_day(shop_sale_facts.sold_at) + 1)
        and not exists (
          select from shop_return r
          where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.kind = 'void')),
    'vouchers', case when cardinality(the_codes) > 0 then shop_vouchers(null, the_codes, moment) else '[]' end);
end $$;

create or replace function shop_sale_lock(the_shop integer, the_number text) returns jsonb language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(the_shop || ':' || the_number, 17));
  return (
    select jsonb_build_object(
      'shopId', s.shop_id, 'number', s.number, 'soldAt', s.sold_at, 'customerId', s.customer_id, 'whole', s.whole,
      'lines', s.lines, 'vouchers', s.vouchers,
      'credited', s.entry_id is not null or exists (
        select from loyalty_pending p
        where p.customer_id = s.customer_id and p.cause = 'purchase:' || s.shop_id || ':' || s.number),
      'rule', case when s.points_per_euro is not null then jsonb_build_object(
        'pointsPerEuro', s.points_per_euro, 'multiplierHundredths', s.multiplier_hundredths,
        'campaignId', s.campaign_id, 'campaignMultiplierHundredths', s.campaign_multiplier_hundredths,
        'campaignExtraPoints', s.campaign_extra_points, 'campaignMinimumCents', s.campaign_minimum_cents) end,
      'returned', coalesce((
        select jsonb_agg(refund)
        from shop_return r cross join jsonb_array_elements(r.refunds) refund
        where r.sale_shop_id = s.shop_id and r.sale_number = s.number and r.state = 'applied'), '[]'))
    from shop_sale s
    where s.shop_id = the_shop and s.number = the_number);
end $$;

create or replace function webhook_pending() returns trigger language plpgsql as $$
declare
  receipt text[] := regexp_match(new.cause, '^purchase:(\d{1,9}):(.+)$');
begin
  perform webhook_write('points.pending', new.customer_id, receipt[1]::integer,
    jsonb_build_object(
      'IdCustomer', new.customer_id, 'Points', new.remaining, 'ArrivesAt', webhook_time(new.arrives_at),
      'IdShop', receipt[1]::integer, 'ReceiptNumber', receipt[2]));
  return null;
end $$;

create or replace function webhook_voucher_cancelled() returns trigger language plpgsql as $$
declare
  voucher loyalty_voucher;
begin
  select * into voucher from loyalty_voucher v where v.customer_id = new.customer_id and v.code = new.code;
  perform webhook_write('voucher.cancelled', new.customer_id, null,
    jsonb_build_object(
      'IdCustomer', new.customer_id, 'IdCustomerReward', voucher.id, 'IdLoyaltyReward', voucher.reward_id,
      'Points', voucher.points, 'Value', webhook_amount(voucher.amount_cents),
      'CancelledAt', webhook_time(new.cancelled_at)));
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
      'IdCustomer', new.customer_id, 'IdCustomerReward', new.id, 'IdLoyaltyReward', new.reward_id, 'Points', -entry.points,
      'Value', webhook_amount(new.amount_cents), 'ExpiresAt', webhook_time(new.expires_at)));
  return null;
end $$;

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
      and not exists (select from loyalty_voucher_cancel c where c.code = v.code and c.cancelled_at is not null)
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

create or replace function figure_of_entry(the_kind text, the_points integer, the_cause text) returns text
  language sql immutable parallel safe
  return case
    when the_kind = 'cancel' then 'cancelled'
    when the_points > 0 then 'issued_' || the_kind
    when the_kind = 'reward' then 'spent'
    when the_kind = 'expiry' then 'lapsed'
    when the_kind in ('return', 'settle') then 'taken_back'
    when the_cause = 'erased' then 'forfeited'
    else 'corrected' end;

create or replace function webhook_tier(the_customer bigint) returns integer
  language sql stable
  return (
    select t.id from loyalty_account a
    cross join lateral loyalty_programme_at(a.programme_id, now()) p
    join loyalty_tier t on t.programme_id = p.id
      and t.points_required <= loyalty_earned(a.customer_id, p.tier_months, club_day(now()))
    where a.customer_id = the_customer
    order by t.points_required desc limit 1);

create or replace function figure_pending() returns trigger language plpgsql as $$
declare
  before integer := case when tg_op <> 'INSERT' and old.arrived_at is null then old.remaining else 0 end;
  after integer := case when tg_op <> 'DELETE' and new.arrived_at is null then new.remaining else 0 end;
begin
  insert into figure_delta (day, figure, part, count, amount)
  select club_day(coalesce(new.arrives_at, old.arrives_at)), 'pending', 0, 0, after - before where after <> before;
  return null;
end $$;

create or replace function figure_voucher_cancel() returns trigger language plpgsql as $$
begin
  insert into figure_delta (day, figure, part, count, amount)
  select day, figure, 0, count, amount from loyalty_voucher v
  cross join lateral (values
    (club_day(new.cancelled_at), 'voucher_cancelled', 1, v.amount_cents),
    (club_day(v.expires_at), 'voucher_open', -1, -v.amount_cents)) moved (day, figure, count, amount)
  where v.customer_id = new.customer_id and v.code = new.code;
  return null;
end $$;

create or replace view figure_ledger as
select club_day(at) as day, figure_of_entry(kind, points, cause) as figure, figure_shop(kind, cause) as part,
  count(*) as count, sum(abs(points))::bigint as amount
from loyalty_entry where not copied and points <> 0 group by 1, 2, 3
union all
select date_trunc('month', club_day(expires_at)::timestamp)::date, 'outstanding', coalesce(tier_id, 0), 0,
  sum(remaining)::bigint
from loyalty_lot where remaining > 0 group by 1, 3
union all
select club_day(arrives_at), 'pending', 0, 0, sum(remaining)::bigint
from loyalty_pending where arrived_at is null and remaining > 0 group by 1
union all
select club_day(v.obtained_at), 'voucher_' || e.kind, 0, count(*), sum(v.amount_cents)::bigint
from loyalty_voucher v join loyalty_entry e on e.customer_id = v.customer_id and e.id = v.id
where not e.copied group by 1, 2
union all
select day, 'voucher_open', 0, sum(count)::bigint, sum(amount)::bigint from (
  select club_day(v.expires_at) as day, 1 as count, v.amount_cents as amount
  from loyalty_voucher v join loyalty_entry e on e.customer_id = v.customer_id and e.id = v.id where not e.copied
  union all
  select club_day(v.expires_at), -1, -v.amount_cents from loyalty_voucher v where v.used_at is not null
  union all
  select club_day(v.expires_at), -1, -v.amount_cents
  from loyalty_voucher_use u join loyalty_voucher v on v.customer_id = u.customer_id and v.code = u.code
  union all
  select club_day(v.expires_at), -1, -v.amount_cents
  from loyalty_voucher_cancel c join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code
  where c.cancelled_at is not null
) open group by 1
union all
select club_day(c.cancelled_at), 'voucher_cancelled', 0, count(*), sum(v.amount_cents)::bigint
from loyalty_voucher_cancel c join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code
where c.cancelled_at is not null group by 1
union all
select club_day(used_at), 'voucher_used', shop_id, count(*), sum(cents)::bigint from (
  select used_at, shop_id, taken_cents as cents from loyalty_voucher_use
  union all
  select used_at, 0, amount_cents from loyalty_voucher where used_at is not null
) used group by 1, 3
union all
select club_day(sold_at), figure_of_sale(customer_id), shop_id, count(*), sum(figure_cents(lines, 'paidCents'))::bigint
from shop_sale group by 1, 2, 3
union all
select club_day(returned_at), 'returned', shop_id, count(*), sum(figure_cents(refunds, 'cents'))::bigint
from shop_return where state = 'applied' group by 1, 3
union all
select day, 'campaign', campaign_id, sum(count)::bigint, sum(points)::bigint from (
  select club_day(sold_at) as day, campaign_id, 1 as count, campaign_points as points
  from shop_sale where campaign_id is not null
  union all
  select club_day(returned_at), campaign_id, 0, -campaign_points
  from shop_return where state = 'applied' and campaign_id is not null
) campaigns group by 1, 3;

create trigger loyalty_pending_tells after insert on loyalty_pending
  for each row execute function webhook_pending();
create trigger loyalty_pending_changes after update of remaining on loyalty_pending
  for each row when (new.remaining <> old.remaining) execute function webhook_pending();
create trigger loyalty_pending_counts after insert on loyalty_pending
  for each row execute function figure_pending();
create trigger loyalty_pending_moves after update of remaining, arrived_at on loyalty_pending
  for each row execute function figure_pending();
create trigger loyalty_pending_ends after delete on loyalty_pending
  for each row execute function figure_pending();
create trigger loyalty_voucher_cancel_tells after insert on loyalty_voucher_cancel
  for each row when (new.cancelled_at is not null) execute function webhook_voucher_cancelled();
create trigger loyalty_voucher_cancel_done after update of cancelled_at on loyalty_voucher_cancel
  for each row when (old.cancelled_at is null and new.cancelled_at is not null) execute function webhook_voucher_cancelled();
create trigger loyalty_voucher_cancel_counts after insert on loyalty_voucher_cancel
  for each row when (new.cancelled_at is not null) execute function figure_voucher_cancel();
create trigger loyalty_voucher_cancel_ends after update of cancelled_at on loyalty_voucher_cancel
  for each row when (old.cancelled_at is null and new.cancelled_at is not null) execute function figure_voucher_cancel();
create or replace trigger loyalty_entry_tells after insert on loyalty_entry
  for each row when (new.points > 0 and new.kind <> 'cancel' or new.kind = 'return') execute function webhook_entry();
