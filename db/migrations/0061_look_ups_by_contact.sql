-- no transaction
-- For the metric cercle_look_ups_by_contact, which is read at every scrape.
drop index concurrently if exists shop_look_up_by_contact;
create index concurrently shop_look_up_by_contact on shop_look_up (at) where found_by in ('email', 'phone');
