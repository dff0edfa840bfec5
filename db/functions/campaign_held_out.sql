-- Whether a member is in the club's hold-out at a moment: a small part of all members whom no campaign reaches, to measure
-- all of them together. By the hash of control groups; points, statuses and rewards of the programme never ask it.
-- Called by loyalty_campaigns and src/office/campaigns/results/reached.server.ts.
create or replace function campaign_held_out(the_customer bigint, moment timestamptz) returns boolean
  language sql stable parallel safe
  return exists (
    select from campaign_hold_out h
    where h.starts_at <= moment and coalesce(h.ended_at, h.ends_at) > moment
      and campaign_controls(h.salt, h.percent, the_customer));
