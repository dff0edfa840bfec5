-- Whether an entry takes back the points of a sale that was voided: as if they had never been issued. Called by
-- metric_of_entry, metric_entry and the view metric_ledger.
create or replace function metric_undone(the_kind text, the_cause text) returns boolean
  language sql immutable parallel safe
  return the_kind = 'return' and the_cause like 'void:%';
