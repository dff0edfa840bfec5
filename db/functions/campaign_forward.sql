-- Trigger function: the only change a campaign allows is that it ends early, once, and not in the past.
-- Called by the trigger campaign_forward on campaign.
create or replace function campaign_forward() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null or new.ended_at is null
     or (to_jsonb(new) - 'ended_at' - 'ended_by') is distinct from (to_jsonb(old) - 'ended_at' - 'ended_by') then
    raise exception 'a campaign is ended once and never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
