-- Takes points out of a customer's lots for a debit, and records from which: the lot named first, then those that lapse
-- next. The caller holds the account's lock and has made sure that the lots hold that many.
-- Called by loyalty_move, loyalty_settle, loyalty_claw_back and loyalty_forfeit.
create or replace function loyalty_take_lots(
  the_customer bigint, the_points integer, the_entry bigint, the_first bigint
) returns void language sql as $$
  with open as (
    select l.entry_id, l.remaining, sum(l.remaining) over (
      order by (l.entry_id is not distinct from the_first) desc, l.expires_at, l.entry_id) - l.remaining as before
    from loyalty_lot l where l.customer_id = the_customer and l.remaining > 0
  ), taken as (
    select entry_id, least(remaining, the_points - before)::integer as points from open where before < the_points
  ), recorded as (
    insert into loyalty_lot_use (customer_id, entry_id, lot_id, points)
    select the_customer, the_entry, t.entry_id, t.points from taken t
  )
  update loyalty_lot l set remaining = l.remaining - t.points
  from taken t where l.customer_id = the_customer and l.entry_id = t.entry_id;
$$;
