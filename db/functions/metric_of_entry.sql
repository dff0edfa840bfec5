-- Which metric of the club an entry of points counts in. Called by
-- src/move/apply/points.server.ts, src/loyalty/ledger/month-end/book.server.ts,
-- the view metric_ledger and by metric_entry.
create or replace function metric_of_entry(the_kind text, the_points integer, the_cause text) returns text
  language sql immutable parallel safe
  return case
    when the_kind = 'cancel' then 'cancelled'
    when the_kind = 'undo' then 'taken_back'
    when the_points > 0 then 'issued_' || the_kind
    when the_kind = 'reward' then 'spent'
    when the_kind = 'expiry' then 'lapsed'
    when metric_undone(the_kind, the_cause) then 'issued_purchase'
    when the_kind in ('return', 'settle') then 'taken_back'
    when the_cause = 'erased' then 'forfeited'
    else 'corrected' end;
