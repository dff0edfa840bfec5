-- Cents as the API writes amounts. Called by
-- src/move/export/export-queries.server.ts,
-- the functions webhook_*, which write events.
create or replace function webhook_amount(cents bigint) returns text
  language sql immutable parallel safe
  return (cents / cents_per_unit()::numeric)::numeric(20, :currency_decimals)::text;
