-- A keyed hash of the mailbox of an email address, or of a phone number. It remembers a bonus once given without storing
-- the address, also after erasure. Every address of a mailbox has the same hash (mailbox_of).
-- Called by src/loyalty/referral/referral.server.ts,
-- src/move/apply/membership.server.ts,
-- src/loyalty/membership/welcome-gift.server.ts, src/loyalty/events/events.server.ts,
-- src/loyalty/club-hooks.server.ts, src/office/customers/server/merge/merge.server.ts,
-- src/staff/own-card.server.ts, loyalty_had_welcome and staff_owns.
create or replace function loyalty_person(email text) returns bytea
  language sql stable
  return loyalty_hash(mailbox_of(email));
