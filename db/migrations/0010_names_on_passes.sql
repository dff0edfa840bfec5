-- A pass also shows whose it is, and leads to pages in the holder's language.

create function queue_wallet(holder bigint) returns void language plpgsql as $$
begin
  if exists (select from google_pass where customer_id = holder)
     or exists (select from apple_pass where customer_id = holder) then
    perform graphile_worker.add_job(
      'loyalty:wallet', json_build_object('customerId', holder),
      job_key => 'wallet:' || holder, max_attempts => 450);
  end if;
end $$;

create or replace function wallet_changed() returns trigger language plpgsql as $$
begin
  perform queue_wallet(new.customer_id);
  return null;
end $$;

create function wallet_holder_changed() returns trigger language plpgsql as $$
begin
  perform queue_wallet(new.id);
  return null;
end $$;

create trigger customer_reaches_wallet after update of firstname, lastname, language on customer
  for each row
  when ((old.firstname, old.lastname, old.language) is distinct from (new.firstname, new.lastname, new.language))
  execute function wallet_holder_changed();
