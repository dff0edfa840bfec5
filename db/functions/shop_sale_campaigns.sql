-- loyalty_campaigns for a sale that is being written, once the customer is locked (shop_sale_facts): a statement of its own,
-- so that it sees what a sale of the same member has written for which this one waited. Limits in all of which something is
-- left are locked, by id, as the last locks of a sale, and read again: what one sale gets, no other does. A quote only reads.
-- Called by src/shop/sales/purchase/facts.server.ts.
create or replace function shop_sale_campaigns(
  the_customer bigint, the_tier integer, the_shop integer, sold_at timestamptz, locks boolean
) returns jsonb language plpgsql as $$
declare
  campaigns jsonb;
begin
  campaigns := loyalty_campaigns(the_customer, the_tier, the_shop, sold_at);
  if not locks or not campaigns @? '$[*] ? (@.limited == true && @.leftPoints > 0)' then
    return campaigns;
  end if;
  perform 1 from campaign_limit l
  where l.campaign_id in (
    select (c ->> 'id')::integer from jsonb_array_elements(campaigns) c where (c ->> 'leftPoints')::integer > 0)
  order by l.campaign_id for update;
  campaigns := loyalty_campaigns(the_customer, the_tier, the_shop, sold_at);
  return campaigns;
end $$;
