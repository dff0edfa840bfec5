-- How many of the smallest unit, which is called cents in every currency, the main unit has: 100 of the euro, 1 of the yen,
-- 1000 of the dinar. Called by
-- src/loyalty/ledger/invariants/invariants.server.ts, src/move/export/export-queries.server.ts and webhook_amount.
create or replace function cents_per_unit() returns integer
  language sql immutable parallel safe
  return (10 ^ :currency_decimals)::integer;
