-- How many of the points that a campaign would add to a sale it still has, and notes them as given: of sales at once, the one
-- that reaches the limit gets the remainder, and the next ones nothing. A return gives nothing back to the campaign. It is the
-- last lock that a sale takes. Called by src/shop/sales/purchase/credit-sale.server.ts.
create or replace function campaign_grant(the_campaign integer, wanted bigint) returns bigint language plpgsql as $$
declare
  granted bigint;
begin
  select greatest(0, least(wanted, c.limit_points - c.given_points)) into granted
  from campaign_limit c where c.campaign_id = the_campaign for update;
  update campaign_limit set given_points = given_points + granted where campaign_id = the_campaign;
  return granted;
end $$;
