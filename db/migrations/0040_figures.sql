-- The club's figures by day, kept by triggers in the transaction of their cause. Writers only append to figure_delta, so no
-- two sales wait for one row; a job folds it into figure_day; reading sums both (view figure_all).

-- Copied from another account by a merge, and counted there.
alter table loyalty_entry add column copied boolean not null default false;
-- The tier in which the points were earned. Null: before this was noted.
alter table loyalty_lot add column tier_id integer;

create table figure_delta (
  day date not null,
  figure text not null,
  -- The shop; of points outstanding the tier; of a campaign the campaign. 0: none.
  part integer not null,
  count integer not null,
  amount bigint not null
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

create table figure_day (
  figure text not null,
  day date not null,
  part integer not null,
  count bigint not null,
  amount bigint not null,
  primary key (figure, day, part)
);

create view figure_all as
select figure, day, part, count::bigint as count, amount from figure_delta
union all
select figure, day, part, count, amount from figure_day;

-- The day of a member's last purchase, and until when it makes them an active one.
create table loyalty_activity (
  customer_id bigint primary key,
  last_day date not null,
  until date not null
);
create index loyalty_activity_until on loyalty_activity (until);

create or replace function figure_of_entry(the_kind text, the_points integer, the_cause text) returns text
  language sql immutable parallel safe
  return case
    when the_points > 0 then 'issued_' || the_kind
    when the_kind = 'reward' then 'spent'
    when the_kind = 'expiry' then 'lapsed'
    when the_kind in ('return', 'settle') then 'taken_back'
    when the_cause = 'erased' then 'forfeited'
    else 'corrected' end;

create or replace function figure_shop(the_kind text, the_cause text) returns integer
  language sql immutable parallel safe
  return case
    when the_kind in ('purchase', 'return') and the_cause ~ '^(purchase|return|exchange|void):\d{1,9}:'
    then split_part(the_cause, ':', 2)::integer else 0 end;

create or replace function figure_of_sale(the_customer bigint) returns text
  language sql immutable parallel safe
  return case when the_customer is null then 'sale_unnamed' else 'sale_named' end;

create or replace function figure_cents(rows jsonb, name text) returns bigint
  language sql immutable parallel safe
  return coalesce((select sum((one ->> name)::bigint) from jsonb_array_elements(rows) one), 0)::bigint;

-- What the ledger says; the summary must say the same (invariant 21).
create view figure_ledger as
select club_day(at) as day, figure_of_entry(kind, points, cause) as figure, figure_shop(kind, cause) as part,
  count(*) as count, sum(abs(points))::bigint as amount
from loyalty_entry where not copied and points <> 0 group by 1, 2, 3
union all
select date_trunc('month', club_day(expires_at)::timestamp)::date, 'outstanding', coalesce(tier_id, 0), 0,
  sum(remaining)::bigint
from loyalty_lot where remaining > 0 group by 1, 3
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
) open group by 1
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
from shop_return where state = 'applied' group by 1, 3;

create or replace function figure_entry() returns trigger language plpgsql as $$
begin
  insert into figure_delta (day, figure, part, count, amount)
  values (club_day(new.at), figure_of_entry(new.kind, new.points, new.cause), figure_shop(new.kind, new.cause), 1,
    abs(new.points));
  return null;
end $$;

create or replace function figure_lot() returns trigger language plpgsql as $$
declare
  change integer := new.remaining - case when tg_op = 'UPDATE' then old.remaining else 0 end;
begin
  if tg_op = 'INSERT' then
    select t.id into new.tier_id from loyalty_entry e
    join loyalty_account a on a.customer_id = e.customer_id
    join loyalty_programme p on p.id = a.programme_id
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

create or replace function figure_active(the_customer bigint, the_day date) returns void language plpgsql as $$
declare
  known loyalty_activity;
  new_until date := (the_day + interval '12 months')::date;
begin
  perform from loyalty_account a where a.customer_id = the_customer and a.state = 'active';
  if not found then
    return;
  end if;
  select * into known from loyalty_activity a where a.customer_id = the_customer;
  if known.last_day >= the_day then
    return;
  end if;
  insert into loyalty_activity as a (customer_id, last_day, until) values (the_customer, the_day, new_until)
  on conflict (customer_id) do update set last_day = excluded.last_day, until = excluded.until;
  insert into figure_delta (day, figure, part, count, amount)
  values (case when known.until > the_day then known.until else the_day end, 'active', 0, 1, 0),
    (new_until, 'active', 0, -1, 0);
end $$;

create or replace function figure_account() returns trigger language plpgsql as $$
declare
  into_other customer_merge;
  activity loyalty_activity;
  today date := club_day(now());
begin
  if new.state = 'active' then
    insert into figure_delta (day, figure, part, count, amount)
    values (case when tg_op = 'INSERT' then club_day(new.member_since) else today end, 'joined', coalesce((
      select r.shop_id from shop_registration r where tg_op = 'INSERT' and r.customer_id = new.customer_id), 0), 1, 0);
    return null;
  end if;
  if tg_op = 'INSERT' or old.state <> 'active' then
    return null;
  end if;
  select * into into_other from customer_merge m where m.customer_id = new.customer_id;
  if new.state = 'asleep' then
    today := coalesce(club_day(new.left_at), today);
  elsif into_other.at is not null then
    today := club_day(into_other.at);
  end if;
  insert into figure_delta (day, figure, part, count, amount)
  values (today, case
    when new.state = 'asleep' then 'left' when into_other.at is not null then 'merged' else 'erased' end, 0, 1, 0);
  delete from loyalty_activity a where a.customer_id = new.customer_id returning * into activity;
  if activity.until > today then
    insert into figure_delta (day, figure, part, count, amount)
    values (today, 'active', 0, -1, 0), (activity.until, 'active', 0, 1, 0);
  end if;
  if into_other.at is not null and activity.last_day is not null then
    perform figure_active(into_other.into_id, activity.last_day);
  end if;
  return null;
end $$;

create or replace function figure_debt() returns trigger language plpgsql as $$
begin
  insert into figure_delta (day, figure, part, count, amount)
  select club_day(now()), 'waived', 0, 1, new.waived - old.waived
  where not exists (select from customer_merge m where m.customer_id = new.customer_id);
  return null;
end $$;

create or replace function figure_voucher() returns trigger language plpgsql as $$
declare
  entry loyalty_entry;
begin
  if tg_op = 'UPDATE' then
    insert into figure_delta (day, figure, part, count, amount)
    values (club_day(new.used_at), 'voucher_used', 0, 1, new.amount_cents),
      (club_day(new.expires_at), 'voucher_open', 0, -1, -new.amount_cents);
    return null;
  end if;
  select * into entry from loyalty_entry e where e.customer_id = new.customer_id and e.id = new.id;
  if not entry.copied then
    insert into figure_delta (day, figure, part, count, amount)
    values (club_day(new.obtained_at), 'voucher_' || entry.kind, 0, 1, new.amount_cents),
      (club_day(new.expires_at), 'voucher_open', 0, 1, new.amount_cents);
  end if;
  return null;
end $$;

create or replace function figure_voucher_use() returns trigger language plpgsql as $$
begin
  insert into figure_delta (day, figure, part, count, amount)
  select club_day(new.used_at), 'voucher_used', new.shop_id, 1, new.taken_cents
  union all
  select club_day(v.expires_at), 'voucher_open', 0, -1, -v.amount_cents
  from loyalty_voucher v where v.customer_id = new.customer_id and v.code = new.code;
  return null;
end $$;

create or replace function figure_sale() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into figure_delta (day, figure, part, count, amount)
    values (club_day(old.sold_at), figure_of_sale(old.customer_id), old.shop_id, -1, -figure_cents(old.lines, 'paidCents'));
  end if;
  insert into figure_delta (day, figure, part, count, amount)
  values (club_day(new.sold_at), figure_of_sale(new.customer_id), new.shop_id, 1, figure_cents(new.lines, 'paidCents'));
  if new.customer_id is not null and (tg_op = 'INSERT' or old.customer_id is null) then
    perform figure_active(new.customer_id, club_day(new.sold_at));
  end if;
  return null;
end $$;

create or replace function figure_return() returns trigger language plpgsql as $$
begin
  insert into figure_delta (day, figure, part, count, amount)
  values (club_day(new.returned_at), 'returned', new.shop_id, 1, figure_cents(new.refunds, 'cents'));
  return null;
end $$;

create or replace function figure_fold() returns integer language plpgsql as $$
declare
  folded integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('figure_fold', 40)) then
    return 0;
  end if;
  with taken as (
    delete from figure_delta returning day, figure, part, count, amount
  ), summed as (
    insert into figure_day as d (day, figure, part, count, amount)
    select day, figure, part, sum(count), sum(amount) from taken group by day, figure, part
    on conflict (figure, day, part) do update set count = d.count + excluded.count, amount = d.amount + excluded.amount
  )
  select count(*) into folded from taken;
  return folded;
end $$;

create or replace function figure_rebuild() returns void language plpgsql as $$
begin
  delete from figure_day;
  with gone as (delete from figure_delta where figure <> 'active')
  insert into figure_day (day, figure, part, count, amount)
  select day, figure, part, count, amount from figure_ledger
  union all
  select club_day(a.member_since), 'joined', coalesce(r.shop_id, 0), count(*), 0 from loyalty_account a
  left join shop_registration r on r.customer_id = a.customer_id group by 1, 3
  union all
  select club_day(a.left_at), 'left', 0, count(*), 0 from loyalty_account a where a.state = 'asleep' group by 1
  union all
  -- When somebody was erased, nobody has noted.
  select coalesce(club_day(m.at), club_day(a.member_since)), case when m.at is null then 'erased' else 'merged' end, 0,
    count(*), 0
  from loyalty_account a left join customer_merge m on m.customer_id = a.customer_id where a.state = 'erased' group by 1, 2
  union all
  select club_day(now()), 'waived', 0, count(*), sum(d.waived) from loyalty_debt d
  where d.waived > 0 and not exists (select from customer_merge m where m.customer_id = d.customer_id)
  having count(*) > 0;
  lock table loyalty_activity in share row exclusive mode;
  delete from figure_delta where figure = 'active';
  delete from loyalty_activity;
  with bought as (
    select distinct s.customer_id, club_day(s.sold_at) as day from shop_sale s
    join loyalty_account a on a.customer_id = s.customer_id and a.state = 'active'
  ), known as (
    insert into loyalty_activity (customer_id, last_day, until)
    select customer_id, max(day), (max(day) + interval '12 months')::date from bought group by 1
  ), spans as (
    select day, least((day + interval '12 months')::date, lead(day) over (partition by customer_id order by day)) as until
    from bought
  )
  insert into figure_day (day, figure, part, count, amount)
  select day, 'active', 0, sum(count), 0 from (
    select day, 1 as count from spans union all select until, -1 from spans) moved
  group by day having sum(count) <> 0;
end $$;

create or replace function loyalty_forfeit(the_customer bigint, moment timestamptz) returns integer
language plpgsql as $$
declare
  account loyalty_account;
begin
  perform 1 from customer where id = the_customer for no key update;
  perform loyalty_expire(the_customer, moment);
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.balance = 0 then
    return 0;
  end if;
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause)
  values (the_customer, moment, 'adjust', -account.balance, 0, 'erased');
  update loyalty_lot set remaining = 0 where customer_id = the_customer and remaining > 0;
  update loyalty_account set balance = 0 where customer_id = the_customer;
  return account.balance;
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
    insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, expires_at, copied)
    values (the_survivor, credit.at,
      case when known and credit.kind in ('welcome', 'event') then 'adjust' else credit.kind end,
      credit.points, balance_after,
      case when known then 'merged:' || the_other || ':' || credit.cause else credit.cause end,
      credit.label, credit.expires_at, true)
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
      insert into loyalty_entry (customer_id, at, kind, points, balance, cause, copied)
      values (the_survivor, lapsed.at, 'expiry', lapsed.points, balance_after, 'expiry:' || copy_id, true);
    end if;
  end loop;
  select coalesce(-sum(points) filter (where kind in ('reward', 'adjust')), 0),
    coalesce(-sum(points) filter (where kind in ('return', 'settle')), 0)
  into spent, given_back from loyalty_entry where customer_id = the_other and points < 0;
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
  values (the_survivor, voucher_id, old.programme_id, old.reward_id, the_code, 0, old.amount_cents, moment,
    old.expires_at);
  outcome := 'done';
end $$;

create trigger loyalty_entry_counts after insert on loyalty_entry
  for each row when (not new.copied and new.points <> 0) execute function figure_entry();
create trigger loyalty_lot_counts before insert on loyalty_lot for each row execute function figure_lot();
create trigger loyalty_lot_changes before update of remaining on loyalty_lot
  for each row when (new.remaining <> old.remaining) execute function figure_lot();
create trigger loyalty_account_begins after insert on loyalty_account for each row execute function figure_account();
create trigger loyalty_account_moves after update of state on loyalty_account
  for each row when (new.state <> old.state) execute function figure_account();
create trigger loyalty_debt_waives after update of waived on loyalty_debt
  for each row when (new.waived > old.waived) execute function figure_debt();
create trigger loyalty_voucher_counts after insert on loyalty_voucher for each row execute function figure_voucher();
create trigger loyalty_voucher_ends after update of used_at on loyalty_voucher
  for each row when (old.used_at is null and new.used_at is not null) execute function figure_voucher();
create trigger loyalty_voucher_use_counts after insert on loyalty_voucher_use
  for each row execute function figure_voucher_use();
create trigger shop_sale_counts after insert on shop_sale for each row execute function figure_sale();
create trigger shop_sale_moves after update of customer_id, sold_at on shop_sale
  for each row when (new.sold_at <> old.sold_at or (old.customer_id is null) <> (new.customer_id is null))
  execute function figure_sale();
create trigger shop_return_counts after insert on shop_return
  for each row when (new.state = 'applied') execute function figure_return();
create trigger shop_return_begins_to_count after update of state on shop_return
  for each row when (new.state = 'applied' and old.state <> 'applied') execute function figure_return();

-- Merges of before: what they copied, and the entry that closed the other account.
alter table loyalty_entry disable trigger loyalty_entry_stays;
update loyalty_entry e set copied = true
where e.customer_id in (select customer_id from customer_merge) and e.cause like 'merged:into:%';
update loyalty_entry e set copied = true
where e.customer_id in (select into_id from customer_merge) and (
  e.cause ~ '^merged:\d+:' and e.cause !~ '^merged:\d+:gift:'
  or e.points > 0 and exists (
    select from customer_merge m join loyalty_entry o on o.customer_id = m.customer_id and o.cause = e.cause
    where m.into_id = e.customer_id and o.at = e.at)
  or e.kind = 'reissue' and exists (
    select from customer_merge m join loyalty_voucher v on v.customer_id = m.customer_id
    where m.into_id = e.customer_id and e.cause = 'reissue:' || v.code
      and not exists (select from loyalty_voucher_use u where u.code = v.code)));
update loyalty_entry e set copied = true
where e.customer_id in (select into_id from customer_merge) and e.kind = 'expiry' and exists (
  select from loyalty_entry c where c.customer_id = e.customer_id and c.copied and e.cause = 'expiry:' || c.id);
alter table loyalty_entry enable trigger loyalty_entry_stays;
