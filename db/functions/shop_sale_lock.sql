-- shop_sale_read, once everybody else who sells or returns under the number of the sale has finished.
-- Called by src/shop/sales/return/take-back.server.ts.
create or replace function shop_sale_lock(the_shop integer, the_number text) returns jsonb language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(the_shop || ':' || the_number, 17));
  return shop_sale_read(the_shop, the_number);
end $$;
