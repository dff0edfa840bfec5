-- Accounts nobody has used for years: told first, erased later. Additive: the version before knows nothing of it.

alter table customer add column idle_told_at timestamptz;
create index customer_last_seen on customer (last_seen_at);
