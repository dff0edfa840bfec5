-- The last second of the club's day. What is valid until a day is valid for the whole of it; one second before midnight,
-- so that every clock shows that same day. Called by
-- src/move/export/export-queries.server.ts, src/office/customers/server/record/record.server.ts,
-- src/loyalty/ledger/warnings/warnings.server.ts, loyalty_add, loyalty_obtain, loyalty_free_voucher,
-- loyalty_reissue and shop_member.
create or replace function club_day_end(day date) returns timestamptz
  language sql immutable parallel safe
  return ((day + 1)::timestamp - interval '1 second') at time zone :'time_zone';
