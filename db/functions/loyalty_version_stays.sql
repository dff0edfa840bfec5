-- Trigger function: a version of the programme is never edited. Its tiers, rewards and events are written in the
-- transaction that writes the version; all that can change later is that it is withdrawn, before it begins.
-- Called by the triggers loyalty_version_stays on the programme's four tables and loyalty_version_whole on three of them.
create or replace function loyalty_version_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if exists (
      select from loyalty_programme p
      where p.id = new.programme_id and p.xmin = pg_current_xact_id()::xid) then
      return null;
    end if;
  elsif tg_op = 'UPDATE' and tg_table_name = 'loyalty_programme' then
    if to_jsonb(new) - 'withdrawn_at' = to_jsonb(old) - 'withdrawn_at'
      and old.withdrawn_at is null and old.starts_at > new.withdrawn_at then
      return new;
    end if;
  end if;
  raise exception 'a version of the programme is never edited: publish another' using errcode = 'restrict_violation';
end $$;
