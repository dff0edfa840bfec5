-- no transaction
-- What ends in the next days, for the letters that warn of it, out of all customers.
drop index concurrently if exists loyalty_voucher_end;
create index concurrently loyalty_voucher_end on loyalty_voucher (expires_at, customer_id) where used_at is null;
drop index concurrently if exists loyalty_earned_day_day;
create index concurrently loyalty_earned_day_day on loyalty_earned_day (day, customer_id);
