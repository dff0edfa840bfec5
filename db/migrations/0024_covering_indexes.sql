-- no transaction
-- Card, balance and tier out of indexes alone: the rows of one customer lie far apart, and of a million customers most are
-- on disk. The first takes the place of loyalty_lot_next, the last that of loyalty_earned_day_through.
drop index concurrently if exists loyalty_lot_left;
create index concurrently loyalty_lot_left on loyalty_lot (customer_id, expires_at, entry_id) include (remaining)
  where remaining > 0;
drop index concurrently if exists loyalty_earned_day_sum;
create index concurrently loyalty_earned_day_sum on loyalty_earned_day (customer_id, day) include (through);
drop index concurrently if exists loyalty_earned_day_until;
create index concurrently loyalty_earned_day_until on loyalty_earned_day (customer_id, through) include (day);
