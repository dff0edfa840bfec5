-- Sales of members, and of nobody. Called by the view figure_ledger and by figure_sale.
create or replace function figure_of_sale(the_customer bigint) returns text
  language sql immutable parallel safe
  return case when the_customer is null then 'sale_unnamed' else 'sale_named' end;
