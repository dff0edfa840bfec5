-- unused since 0024_covering_indexes
-- Keys are checked in SQL of src/shop (src/shop/keys/key-query.server.ts).
drop function if exists shop_identify;
drop function if exists shop_call;
