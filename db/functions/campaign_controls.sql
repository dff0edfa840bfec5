-- Whether a member is in the control group of a campaign, of so many percent: by a hash of the campaign's salt and the member,
-- so that it is the same at every sale, after every restart and on every server. Called by loyalty_campaigns,
-- campaign_held_out, src/office/campaigns/results/reached.server.ts, src/office/campaigns/price/price.server.ts and
-- src/office/campaigns/hold-out/measure-hold-out.server.ts. Every part of it is immutable, so that PostgreSQL puts it into the statement.
create or replace function campaign_controls(the_salt uuid, the_percent integer, the_customer bigint) returns boolean
  language sql immutable parallel safe
  return the_percent > 0 and ('x' || left(encode(sha256((the_salt::text || ':' || the_customer::text)::bytea), 'hex'), 8)
    )::bit(32)::bigint % 10000 < the_percent * 100;
