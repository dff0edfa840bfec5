-- The first moment of the club's day. Called by src/till/day/day.server.ts, shop_member_at, shop_sale_facts,
-- src/loyalty/ledger/month-end/book.server.ts, src/loyalty/ledger/month-end/month-end.server.ts, loyalty_earned, loyalty_statuses, loyalty_undo_claw_back, src/office/campaigns/add-campaign.server.ts,
-- src/loyalty/referral/referral-job.server.ts, src/office/customers/server/adjustments/adjustment-limits.server.ts,
-- src/office/programme/simulator/simulate.server.ts, src/office/team/audit-log.server.ts,
-- src/office/team/look-ups.server.ts, src/shop/sales/report/report.server.ts and
-- src/shop/sales/review/decide-sale.server.ts.
create or replace function club_day_start(day date) returns timestamptz
  language sql immutable parallel safe
  return day::timestamp at time zone :'time_zone';
