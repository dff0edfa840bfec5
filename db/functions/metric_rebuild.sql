-- Computes the summary out of the ledger, for data that no trigger has counted. What the ledger no longer knows is lost:
-- the days of those who left and returned, and receipts whose amounts were deleted. Sales may go on meanwhile: each
-- statement sees what is written and counted by triggers together; only the last one makes sales wait. Called by the
-- benchmark's population.
create or replace function metric_rebuild() returns void language plpgsql as $$
begin
  delete from metric_day;
  with gone as (delete from metric_delta where metric <> 'active')
  insert into metric_day (day, metric, part, count, amount)
  select day, metric, part, count, amount from metric_ledger
  union all
  select club_day(a.member_since), 'joined', coalesce(r.shop_id, 0), count(*), 0 from loyalty_account a
  left join shop_registration r on r.customer_id = a.customer_id group by 1, 3
  union all
  select club_day(a.left_at), 'left', 0, count(*), 0 from loyalty_account a where a.state = 'left' group by 1
  union all
  -- When a person was erased, no one has noted.
  select coalesce(club_day(m.at), club_day(a.member_since)), case when m.at is null then 'erased' else 'merged' end, 0,
    count(*), 0
  from loyalty_account a left join customer_merge m on m.customer_id = a.customer_id where a.state = 'erased' group by 1, 2
  union all
  select club_day(now()), 'waived', 0, count(*), sum(d.waived) from loyalty_debt d
  where d.waived > 0 and not exists (select from customer_merge m where m.customer_id = d.customer_id)
  having count(*) > 0;
  lock table loyalty_activity in share row exclusive mode;
  delete from metric_delta where metric = 'active';
  delete from loyalty_activity;
  with bought as (
    select distinct s.customer_id, club_day(s.sold_at) as day from shop_sale s
    join loyalty_account a on a.customer_id = s.customer_id and a.state = 'active' where s.former_source is null
  ), known as (
    insert into loyalty_activity (customer_id, last_day, until)
    select customer_id, max(day), (max(day) + interval '12 months')::date from bought group by 1
  ), spans as (
    select day, least((day + interval '12 months')::date, lead(day) over (partition by customer_id order by day)) as until
    from bought
  )
  insert into metric_day (day, metric, part, count, amount)
  select day, 'active', 0, sum(count), 0 from (
    select day, 1 as count from spans union all select until, -1 from spans) moved
  group by day having sum(count) <> 0;
end $$;
