-- The shop of the sale or the return that an entry of points names, 0 of others. Called by the view metric_ledger and by
-- metric_entry.
create or replace function metric_shop(the_kind text, the_cause text) returns integer
  language sql immutable parallel safe
  return case
    when the_kind in ('purchase', 'return') and the_cause ~ '^(purchase|return|exchange|void|amend):\d{1,9}:'
    then split_part(the_cause, ':', 2)::integer
    when the_kind = 'undo' then split_part(the_cause, ':', 3)::integer else 0 end;
