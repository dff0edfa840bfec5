-- Trigger function: tells every process that the programme it keeps in memory is old.
-- Called by the triggers loyalty_programme_changed on the programme's four tables.
create or replace function loyalty_programme_changed() returns trigger
  language plpgsql as $$
begin
  notify loyalty_programme;
  return null;
end $$;
