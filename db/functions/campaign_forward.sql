-- Trigger function: the only changes a campaign allows are that it is approved, once, and that it ends early, once.
-- Called by the trigger campaign_forward on campaign.
create or replace function campaign_forward() returns trigger language plpgsql as $$
declare
  moving constant text[] := array['approved_at', 'approved_by', 'ended_at', 'ended_by'];
begin
  if to_jsonb(new) - moving is distinct from to_jsonb(old) - moving
     or old.approved_at is not null
       and (new.approved_at, new.approved_by) is distinct from (old.approved_at, old.approved_by)
     or old.ended_at is not null and (new.ended_at, new.ended_by) is distinct from (old.ended_at, old.ended_by) then
    raise exception 'a campaign is approved once, ended once and never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
