-- Cents as the API writes euros. Called by the functions webhook_*, which write events.
create or replace function webhook_amount(cents bigint) returns text
  language sql immutable parallel safe
  return to_char(cents / 100.0, 'FM9999999990.00');
