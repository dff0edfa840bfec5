-- Trigger function: counts the points that a sale got of a campaign that is limited in all. A return gives nothing back to the
-- campaign. Called by the triggers shop_sale_given and shop_sale_given_later on shop_sale.
create or replace function campaign_given() returns trigger language plpgsql as $$
begin
  update campaign_limit set given_points = given_points + new.campaign_cap_points where campaign_id = new.campaign_id;
  return null;
end $$;
