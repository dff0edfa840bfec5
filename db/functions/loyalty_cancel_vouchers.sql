-- Cancels a customer's unused vouchers that were bought with points, newest first, until the balance holds the points
-- needed. One that a receipt holds is marked: it is cancelled when the hold ends unused. Reissued and merged vouchers keep
-- the lots of the voucher that they replace; gifts have none. The caller holds the account's lock. Returns what was
-- cancelled. Called by loyalty_claw_back and loyalty_merge.
create or replace function loyalty_cancel_vouchers(the_customer bigint, the_need integer, moment timestamptz)
returns jsonb language plpgsql as $$
declare
  voucher loyalty_voucher;
  cancelled jsonb := '[]';
begin
  -- As a purchase locks them: by code.
  perform 1 from loyalty_voucher_code c where c.customer_id = the_customer and c.code in (
    select v.code from loyalty_voucher v
    where v.customer_id = the_customer and v.points > 0 and v.used_at is null and v.expires_at > moment)
  order by c.code for update;
  for voucher in
    select v.* from loyalty_voucher v
    where v.customer_id = the_customer and v.points > 0 and v.used_at is null and v.expires_at > moment
      and not exists (select from loyalty_voucher_use u where u.code = v.code)
      and not exists (select from loyalty_voucher_cancel c where c.code = v.code)
      -- Of before lots were recorded.
      and exists (select from loyalty_lot_use u where u.customer_id = v.customer_id and u.entry_id = v.id)
    order by v.id desc
  loop
    exit when (select a.balance from loyalty_account a where a.customer_id = the_customer) >= the_need;
    if exists (select from loyalty_voucher_hold h where h.code = voucher.code and h.until > moment) then
      insert into loyalty_voucher_cancel (code, customer_id, marked_at) values (voucher.code, the_customer, moment);
    else
      perform loyalty_cancel_voucher(voucher, moment);
      cancelled := cancelled || jsonb_build_object('valueCents', voucher.amount_cents);
    end if;
  end loop;
  return cancelled;
end $$;
