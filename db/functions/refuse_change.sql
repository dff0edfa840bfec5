-- Trigger function: makes a table append-only.
-- Called by the triggers loyalty_entry_stays and loyalty_entry_stays_whole on loyalty_entry, loyalty_voucher_stays and
-- loyalty_voucher_stays_whole on loyalty_voucher, audit_log_stays and audit_log_stays_whole on audit_log, campaign_stays on
-- campaign, month_end_stays_whole on month_end.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
