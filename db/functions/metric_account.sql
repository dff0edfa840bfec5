-- Trigger function: members who joined, left, were erased, or became part of another account. What the account's row does
-- not date has happened now. Called by the triggers loyalty_account_begins and loyalty_account_moves on loyalty_account.
create or replace function metric_account() returns trigger language plpgsql as $$
declare
  into_other customer_merge;
  activity loyalty_activity;
  today date := club_day(now());
begin
  if new.state = 'active' then
    insert into metric_delta (day, metric, part, count, amount)
    values (case when tg_op = 'INSERT' then club_day(new.member_since) else today end, 'joined', coalesce((
      select r.shop_id from shop_registration r where tg_op = 'INSERT' and r.customer_id = new.customer_id), 0), 1, 0);
    return null;
  end if;
  if tg_op = 'INSERT' or old.state <> 'active' then
    return null;
  end if;
  select * into into_other from customer_merge m where m.customer_id = new.customer_id;
  if new.state = 'left' then
    today := coalesce(club_day(new.left_at), today);
  elsif into_other.at is not null then
    today := club_day(into_other.at);
  end if;
  insert into metric_delta (day, metric, part, count, amount)
  values (today, case
    when new.state = 'left' then 'left' when into_other.at is not null then 'merged' else 'erased' end, 0, 1, 0);
  delete from loyalty_activity a where a.customer_id = new.customer_id returning * into activity;
  if activity.until > today then
    insert into metric_delta (day, metric, part, count, amount)
    values (today, 'active', 0, -1, 0), (activity.until, 'active', 0, 1, 0);
  end if;
  if into_other.at is not null and activity.last_day is not null then
    perform metric_active(into_other.into_id, activity.last_day);
  end if;
  return null;
end $$;
