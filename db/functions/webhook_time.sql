-- A moment as the API writes it, in UTC, whatever the session's time zone. Called by the functions
-- webhook_*, which write events, and by src/shop/webhooks/events.server.ts.
create or replace function webhook_time(moment timestamptz) returns text
  language sql immutable parallel safe
  return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
