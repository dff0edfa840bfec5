-- Trigger function: a voucher that was cancelled. Called by the triggers loyalty_voucher_cancel_counts and
-- loyalty_voucher_cancel_ends on loyalty_voucher_cancel.
create or replace function metric_voucher_cancel() returns trigger language plpgsql as $$
begin
  insert into metric_delta (day, metric, part, count, amount)
  select day, metric, 0, count, amount from loyalty_voucher v
  cross join lateral (values
    (club_day(new.cancelled_at), 'voucher_cancelled', 1, v.amount_cents),
    (club_day(v.expires_at), 'voucher_open', -1, -v.amount_cents)) moved (day, metric, count, amount)
  where v.customer_id = new.customer_id and v.code = new.code;
  return null;
end $$;
