-- Writes an event in the transaction of its cause, with the next number of its customer, and opens its deliveries.
-- The payload holds ids and numbers: no name, no address, no card number, no voucher code. Its IdCustomer is the customer's
-- public id, which shop/identify and the sign-in of web shops tell too, never the number of the row.
-- Called by the trigger functions webhook_*, by loyalty_merge, src/loyalty/segments/segment-changes.server.ts, webhook_points_expiring and by webhook_voucher_expired.
create or replace function webhook_write(
  the_type text, the_customer bigint, the_shop integer, the_payload jsonb
) returns void language plpgsql as $$
declare
  number bigint;
  written bigint;
begin
  if the_customer is not null then
    insert into webhook_customer as c (customer_id, sequence) values (the_customer, 1)
    on conflict (customer_id) do update set sequence = c.sequence + 1
    returning c.sequence into number;
  end if;
  insert into webhook_event (type, customer_id, shop_id, sequence, payload)
  values (the_type, the_customer, the_shop, number, case when the_payload -> 'IdCustomer' <> 'null'
    then the_payload || jsonb_build_object('IdCustomer', (select c.subject from customer c where c.id = the_customer))
    else the_payload end)
  returning id into written;
  perform webhook_send(written);
end $$;
