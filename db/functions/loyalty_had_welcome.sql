-- Whether the person with this address has had the welcome gift. Also true for a hash of the address as written: before
-- mailboxes were compared, that was what an erased account left behind.
-- Called by src/loyalty/club-hooks.server.ts, src/loyalty/referral/referral.server.ts,
-- src/loyalty/membership/welcome-gift.server.ts, src/loyalty/events/events.server.ts,
-- src/loyalty/ledger/loyalty-customer.server.ts and src/loyalty/ledger/invariants/invariants.server.ts.
create or replace function loyalty_had_welcome(email text) returns boolean
  language sql stable
  return exists (select from loyalty_welcome where person in (loyalty_person(email), loyalty_hash(email)));
