-- The sum of one amount of a receipt's lines or refunds. Called by the view metric_ledger, metric_sale,
-- metric_return and src/move/reconcile/reconcile.server.ts.
create or replace function metric_cents(rows jsonb, name text) returns bigint
  language sql immutable parallel safe
  return coalesce((select sum((one ->> name)::bigint) from jsonb_array_elements(rows) one), 0)::bigint;
