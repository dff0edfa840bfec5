-- Sales of members, and of no one. Called by the view metric_ledger, by metric_sale and by metric_return.
create or replace function metric_of_sale(the_customer bigint) returns text
  language sql immutable parallel safe
  return case when the_customer is null then 'sale_unnamed' else 'sale_named' end;
