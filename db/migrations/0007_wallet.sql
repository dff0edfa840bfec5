-- The card in the customer's own wallet: passes that were issued, and what they were last told.
-- customer_id comes first and refers to nobody: an erased customer's pass must still be told that it is over.

-- Keys that the product makes for itself where none is configured; several processes use the same ones.
create table kept_key (
  name text primary key,
  value jsonb not null
);

create table google_pass (
  customer_id bigint primary key,
  -- The object's name at the provider; nothing can be read from it.
  object_id uuid not null default gen_random_uuid(),
  issued_at timestamptz not null,
  -- A digest of what the provider was last told; the same again is not told twice.
  told text,
  -- The last times the phone was made to notice, three at most.
  noticed_at timestamptz[] not null default '{}',
  -- The day to look again: when the status may have lapsed by itself, or the pass may have been saved late.
  review_on date
);
create index google_pass_review on google_pass (review_on) where review_on is not null;

-- What the sandbox's own wallet holds.
create table sandbox_google_pass (
  id text primary key,
  class jsonb not null,
  object jsonb not null,
  notices integer not null default 0
);

-- Points move and memberships change inside functions of the database; whoever holds a pass is told, by a job of
-- the same transaction. Many changes before the job has run are told at once.
create function wallet_changed() returns trigger language plpgsql as $$
begin
  if exists (select from google_pass where customer_id = new.customer_id) then
    perform graphile_worker.add_job(
      'loyalty:wallet', json_build_object('customerId', new.customer_id),
      job_key => 'wallet:' || new.customer_id, max_attempts => 450);
  end if;
  return null;
end $$;

create trigger loyalty_entry_reaches_wallet after insert on loyalty_entry
  for each row execute function wallet_changed();
create trigger loyalty_account_reaches_wallet after update of state on loyalty_account
  for each row when (old.state is distinct from new.state) execute function wallet_changed();
