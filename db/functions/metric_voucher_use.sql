-- Trigger function: a voucher used at a till, with what it took off, and for the campaign that gave it. Called by the trigger loyalty_voucher_use_counts on
-- loyalty_voucher_use.
create or replace function metric_voucher_use() returns trigger language plpgsql as $$
begin
  insert into metric_delta (day, metric, part, count, amount)
  select club_day(new.used_at), 'voucher_used', new.shop_id, 1, new.taken_cents
  union all
  select club_day(v.expires_at), 'voucher_open', 0, -1, -v.amount_cents
  from loyalty_voucher v where v.customer_id = new.customer_id and v.code = new.code
  union all
  select club_day(new.used_at), 'campaign_used', v.campaign_id, 1, new.taken_cents
  from loyalty_voucher v where v.customer_id = new.customer_id and v.code = new.code and v.campaign_id is not null;
  return null;
end $$;
