-- no transaction
-- For the metric cercle_returns_other_shop, which is read at every scrape.
drop index concurrently if exists audit_log_return_other_shop;
create index concurrently audit_log_return_other_shop on audit_log (at) where action = 'return_other_shop';
