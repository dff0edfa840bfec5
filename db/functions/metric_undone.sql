-- Whether an entry undoes another, which then counts nowhere: it takes back the points of a sale that was voided, or gives
-- back those of a return that was undone. Called by metric_of_entry, metric_entry and the view metric_ledger.
create or replace function metric_undone(the_kind text, the_cause text) returns boolean
  language sql immutable parallel safe
  return the_kind = 'undo' or the_kind = 'return' and the_cause like 'void:%';
