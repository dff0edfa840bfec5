-- Trigger function: nothing is booked in a month that is locked for closing.
-- Called by the triggers loyalty_entry_books on loyalty_entry, loyalty_voucher_use_books on loyalty_voucher_use,
-- loyalty_pending_books on loyalty_pending and loyalty_claw_back_books on loyalty_claw_back.
create or replace function loyalty_book() returns trigger language plpgsql as $$
begin
  new.recorded_at := loyalty_booked_at(new.recorded_at);
  return new;
end $$;
