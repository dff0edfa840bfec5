-- A customer's status on a day by a version of the programme (db/functions/loyalty_status_for.sql).
-- Called by src/loyalty/ledger/warnings/warnings.server.ts.
create or replace function loyalty_status(
  the_customer bigint, the_version integer, the_months integer, today date
) returns table (tier_id integer, until date, missing integer) language sql stable rows 1 as $$
  select s.tier_id, s.until, s.missing
  from loyalty_status_for(
    the_customer, the_version, the_months, today, loyalty_earned(the_customer, the_months, today)) s
$$;
