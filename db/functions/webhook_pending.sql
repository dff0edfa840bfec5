-- Trigger function: points.pending, how many points of a purchase are pending now and when they arrive. Called by the
-- triggers loyalty_pending_tells and loyalty_pending_changes on loyalty_pending.
create or replace function webhook_pending() returns trigger language plpgsql as $$
declare
  receipt text[] := regexp_match(new.cause, '^purchase:(\d{1,9}):(.+)$');
begin
  perform webhook_write('points.pending', new.customer_id, receipt[1]::integer,
    jsonb_build_object(
      'IdCustomer', new.customer_id, 'Points', new.remaining, 'ArrivesAt', webhook_time(new.arrives_at),
      'IdShop', receipt[1]::integer, 'ReceiptNumber', receipt[2]));
  return null;
end $$;
