-- Queues the job that updates a customer's wallet passes, if they hold any. One job key per customer: many changes
-- before the job has run become one update. The job's handler is in src/loyalty/wallet.
-- Called by
-- src/move/apply/apply.server.ts,
-- wallet_changed and wallet_holder_changed.
create or replace function queue_wallet(holder bigint) returns void language plpgsql as $$
begin
  if exists (select from google_pass where customer_id = holder)
     or exists (select from apple_pass where customer_id = holder) then
    perform graphile_worker.add_job(
      'loyalty:wallet', json_build_object('customerId', holder),
      job_key => 'wallet:' || holder, max_attempts => 450);
  end if;
end $$;
