-- Writes an event in the transaction of its cause, with the next number of its customer, and opens its deliveries.
-- The payload holds ids and numbers: no name, no address, no card number, no voucher code.
-- Called by the trigger functions webhook_*, by webhook_points_expiring and by webhook_voucher_expired.
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
  values (the_type, the_customer, the_shop, number, the_payload)
  returning id into written;
  perform webhook_send(written);
end $$;
