-- Trigger function: the only change a voucher allows is from unused to used, once.
-- Called by the trigger loyalty_voucher_forward on loyalty_voucher.
create or replace function loyalty_voucher_forward() returns trigger language plpgsql as $$
begin
  if old.used_at is not null or new.used_at is null
     or to_jsonb(new) - 'used_at' - 'used_recorded_at' is distinct from to_jsonb(old) - 'used_at' - 'used_recorded_at' then
    raise exception 'a voucher is used once and never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
