-- Links to a new address (email_change) and to the one before it, which stop the change (email_stop).
alter table link drop constraint link_purpose_check, add constraint link_purpose_check
  check (purpose in ('reset', 'verify', 'autologin', 'guest', 'email_change', 'email_stop')) not valid;

-- The address that a customer had before, while its owner can still undo the change: nobody else may register with it.
create table email_hold (
  email text primary key,
  customer_id bigint not null references customer on delete cascade,
  until timestamptz not null
);
create index email_hold_customer on email_hold (customer_id);
create index email_hold_expiry on email_hold (until);
