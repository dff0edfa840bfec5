-- Trigger function: a closed month is never changed, a locked one never opened again, and none deleted.
-- Called by the trigger month_end_stays on month_end.
create or replace function month_end_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.closed_at is not null
    or (new.month, new.ends_at) <> (old.month, old.ends_at) or old.locked_at is not null and new.locked_at is null then
    raise exception 'a closed month is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
