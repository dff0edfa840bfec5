-- Notes points of a purchase that arrive later. The caller holds the customer's lock. Returns all that is pending
-- (loyalty_pending_of). Called by src/loyalty/ledger/ledger.server.ts.
create or replace function loyalty_credit_later(
  the_customer bigint, the_points integer, the_cause text, the_label jsonb,
  sold_at timestamptz, arrives_at timestamptz, moment timestamptz
) returns jsonb language plpgsql as $$
begin
  insert into loyalty_pending (
    customer_id, points, remaining, counts, booked, cause, label, sold_at, arrives_at, recorded_at)
  values (
    the_customer, the_points, the_points, the_points, the_points, the_cause, the_label,
    loyalty_credit_later.sold_at, loyalty_credit_later.arrives_at, moment);
  return loyalty_pending_of(the_customer, moment);
end $$;
