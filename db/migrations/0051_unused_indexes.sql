-- no transaction
-- The first two have the keys of loyalty_lot_left and loyalty_earned_day_until (0024_covering_indexes). No query uses the
-- third: campaigns are few, and asked for by coalesce(ended_at, ends_at).
drop index concurrently if exists loyalty_lot_next;
drop index concurrently if exists loyalty_earned_day_through;
drop index concurrently if exists campaign_ends;
