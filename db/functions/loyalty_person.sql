-- A keyed hash (HMAC-SHA-256 construction with two stored keys) of an e-mail address or a phone number. It remembers a
-- bonus once given without storing the address, also after erasure; needs no extension.
-- Called by src/loyalty/membership/membership.server.ts, src/loyalty/events/events.server.ts,
-- src/loyalty/ledger/loyalty-customer.server.ts, src/loyalty/club-hooks.server.ts, src/loyalty/ledger/invariants.server.ts
-- and src/office/customers/merge.server.ts.
create or replace function loyalty_person(email text) returns bytea
  language sql stable
  return (select sha256(outer_key || sha256(inner_key || convert_to(email, 'UTF8'))) from loyalty_person_key);
