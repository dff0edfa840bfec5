-- Trigger function: a voucher that was cancelled. Called by the triggers loyalty_voucher_cancel_counts and
-- loyalty_voucher_cancel_ends on loyalty_voucher_cancel.
create or replace function figure_voucher_cancel() returns trigger language plpgsql as $$
begin
  insert into figure_delta (day, figure, part, count, amount)
  select day, figure, 0, count, amount from loyalty_voucher v
  cross join lateral (values
    (club_day(new.cancelled_at), 'voucher_cancelled', 1, v.amount_cents),
    (club_day(v.expires_at), 'voucher_open', -1, -v.amount_cents)) moved (day, figure, count, amount)
  where v.customer_id = new.customer_id and v.code = new.code;
  return null;
end $$;
