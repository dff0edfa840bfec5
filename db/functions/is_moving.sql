-- Whether this transaction moves a club in: then one statement over the whole batch writes what triggers otherwise write
-- row by row, and one event of each member stands for all. Called by the triggers of loyalty_account, loyalty_entry,
-- loyalty_lot, loyalty_earned_day, loyalty_voucher, loyalty_pending and
-- loyalty_claw_back.
create or replace function is_moving() returns boolean
  language sql stable parallel safe
  return current_setting('cercle.moving', true) is not distinct from 'on';
