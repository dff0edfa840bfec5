-- Claims the number of a receipt for good. Sales and returns of one number run one after the other: a return that waits for
-- its sale cannot be missed by it. Outcomes: new; same (this content has arrived before); other (another content has).
-- Called by src/shop/sales/receipts.server.ts.
create or replace function shop_receipt_open(
  the_shop integer, the_number text, the_hash bytea, moment timestamptz, out outcome text, out returns_wait boolean
) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(the_shop || ':' || the_number, 17));
  insert into shop_receipt (shop_id, number, content_hash, arrived_at)
  values (the_shop, the_number, the_hash, moment) on conflict do nothing;
  if found then
    outcome := 'new';
    returns_wait := exists (
      select from shop_return r
      where r.sale_shop_id = the_shop and r.sale_number = the_number and r.state = 'waiting');
    return;
  end if;
  select case when r.content_hash = the_hash then 'same' else 'other' end into outcome
  from shop_receipt r where r.shop_id = the_shop and r.number = the_number;
end $$;
