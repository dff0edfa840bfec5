-- Points that an edit of an order took back counted for no shop; they count for the shop of the order (db/functions/metric_shop.sql).
-- Nothing is booked meanwhile: all that the function of before has counted is moved. What returns took is found by the few rows of
-- returns, not in the whole ledger.
lock table loyalty_entry in share row exclusive mode;
-- functions
insert into metric_delta (day, metric, part, count, amount)
select taken.day, 'taken_back', moved.part, moved.sign * taken.count, moved.sign * taken.amount
from (
  select club_day(e.at) as day, metric_shop(e.kind, e.cause) as shop_id, count(*) as count, sum(abs(e.points)) as amount
  from loyalty_claw_back c join loyalty_entry e on e.customer_id = c.customer_id and e.cause = c.cause
  where c.cause like 'amend:%' and not e.copied group by 1, 2) taken
cross join lateral (values (0, -1), (taken.shop_id, 1)) moved (part, sign);
