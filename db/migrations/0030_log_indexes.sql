-- no transaction
-- Sales whose till was ahead of the time, and deliveries that failed: the few that a person looks at.
drop index concurrently if exists shop_sale_in_future;
create index concurrently shop_sale_in_future on shop_sale (sold_at) where in_future;
drop index concurrently if exists webhook_delivery_failed;
create index concurrently webhook_delivery_failed on webhook_delivery (id)
  where state = 'dead' or state = 'waiting' and attempts > 0;
drop index concurrently if exists webhook_delivery_endpoint;
create index concurrently webhook_delivery_endpoint on webhook_delivery (endpoint_id, id);
