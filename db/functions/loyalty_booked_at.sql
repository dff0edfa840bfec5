-- The moment under which something is booked: in no month that is locked for closing, but in the first after it. The lock,
-- shared by all who book and held until their transaction ends, lets a closing wait for them.
-- Called by loyalty_book, loyalty_arrive, loyalty_forfeit,
-- loyalty_merge, loyalty_undo_claw_back, src/loyalty/club-hooks.server.ts, src/loyalty/ledger/campaign-vouchers.server.ts and src/move/apply/apply.server.ts.
create or replace function loyalty_booked_at(moment timestamptz) returns timestamptz language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('month_end', 22));
  return greatest(moment, (
    select m.ends_at from month_end m where m.locked_at is not null order by m.month desc limit 1));
end $$;
