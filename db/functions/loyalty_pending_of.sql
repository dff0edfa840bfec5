-- The points that a customer's purchases will bring: how many are pending, how many are due and not yet written down, and
-- those that arrive next. Called by src/loyalty/ledger/ledger.server.ts, src/loyalty/ledger/loyalty-customer.server.ts,
-- src/shop/keys/identify-query.server.ts, loyalty_credit_later and shop_member_at.
create or replace function loyalty_pending_of(the_customer bigint, moment timestamptz) returns jsonb
  language plpgsql stable as $$
begin
  if not exists (select from loyalty_pending p where p.customer_id = the_customer and p.arrived_at is null) then
    return '{"points": 0, "due": 0, "next": null}';
  end if;
  return (
    select jsonb_build_object(
      'points', coalesce(sum(p.remaining) filter (where p.arrives_at > moment), 0),
      'due', coalesce(sum(p.remaining) filter (where p.arrives_at <= moment), 0),
      'next', (
        select jsonb_build_object('points', sum(n.remaining), 'date', club_day(n.arrives_at)) from loyalty_pending n
        where n.customer_id = the_customer and n.arrived_at is null and n.remaining > 0 and n.arrives_at > moment
        group by n.arrives_at order by n.arrives_at limit 1))
    from loyalty_pending p where p.customer_id = the_customer and p.arrived_at is null);
end $$;
