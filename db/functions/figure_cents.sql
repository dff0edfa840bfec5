-- The sum of one amount of a receipt's lines or refunds. Called by the view figure_ledger, figure_sale and figure_return.
create or replace function figure_cents(rows jsonb, name text) returns bigint
  language sql immutable parallel safe
  return coalesce((select sum((one ->> name)::bigint) from jsonb_array_elements(rows) one), 0)::bigint;
