-- The day of a moment in the time zone of this installation, wherever the server stands. Called by
-- src/loyalty/referral/referral-job.server.ts, src/loyalty/moved/moved.server.ts, src/move/apply/membership.server.ts, src/move/apply/points.server.ts, src/move/apply/status.server.ts,
-- src/move/apply/vouchers.server.ts, src/move/export/export-queries.server.ts, src/move/reconcile/reconcile.server.ts,
-- src/move/reconcile/sums.server.ts,
-- src/till/customers/search.server.ts, src/till/day/day.server.ts, src/loyalty/ledger/loyalty-customer.server.ts,
-- src/loyalty/ledger/invariants/invariants.server.ts, src/loyalty/ledger/month-end/book.server.ts,
-- src/loyalty/ledger/month-end/month-end.server.ts, src/loyalty/ledger/warnings/warnings.server.ts,
-- src/loyalty/events/events.server.ts, src/office/customers/server/adjustments/adjustment-limits.server.ts,
-- src/office/customers/server/record/record.server.ts, src/office/customers/server/record/search.server.ts,
-- src/office/team/look-ups.server.ts, src/office/programme/simulator/receipts.server.ts,
-- src/office/programme/simulator/simulate.server.ts, src/office/metrics/stored-metrics.server.ts,
-- src/shop/keys/identify-query.server.ts, src/shop/sales/claim/claim.server.ts,
-- src/shop/sales/review/decide-sale.server.ts, src/shop/sales/return/receipt-proof.server.ts,
-- src/shop/sales/return/void.server.ts, src/shop/sales/return/undo-return.server.ts, src/till/receipt.server.ts,
-- src/till/receipt-email.server.ts, src/loyalty/segments/compile-segment.server.ts, src/office/campaigns/results/reached.server.ts,
-- src/office/campaigns/price/price.server.ts, src/office/segments/export.server.ts,
-- loyalty_undo_claw_back, loyalty_move, loyalty_add, loyalty_arrive,
-- loyalty_kept_status, loyalty_may_be_promised, loyalty_pending_of, loyalty_obtain, loyalty_free_voucher, loyalty_claw_back, loyalty_reissue,
-- shop_member, shop_member_at, loyalty_campaigns, shop_sale_facts, shop_find_members, webhook_tier, the view metric_ledger and the
-- functions metric_*.
create or replace function club_day(moment timestamptz) returns date
  language sql immutable parallel safe
  return (moment at time zone :'time_zone')::date;
