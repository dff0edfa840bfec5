-- Every process keeps the programme in memory, and is told when it changes.
create or replace function loyalty_programme_changed() returns trigger
  language plpgsql as $$
begin
  notify loyalty_programme;
  return null;
end $$;

create trigger loyalty_programme_changed after insert or update or delete on loyalty_programme
  for each statement execute function loyalty_programme_changed();
create trigger loyalty_programme_changed after insert or update or delete on loyalty_tier
  for each statement execute function loyalty_programme_changed();
create trigger loyalty_programme_changed after insert or update or delete on loyalty_reward
  for each statement execute function loyalty_programme_changed();
create trigger loyalty_programme_changed after insert or update or delete on loyalty_event
  for each statement execute function loyalty_programme_changed();
