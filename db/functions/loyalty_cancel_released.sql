-- Cancels vouchers that were held when their points were needed, once the hold has ended unused; where nothing is owed any
-- more, the mark is removed instead. The caller holds the account's lock. Called by loyalty_refresh.
create or replace function loyalty_cancel_released(the_customer bigint, moment timestamptz) returns void
language plpgsql as $$
declare
  voucher loyalty_voucher;
begin
  for voucher in
    select v.* from loyalty_voucher_cancel c
    join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code
    where c.customer_id = the_customer and c.cancelled_at is null
      and not exists (select from loyalty_voucher_use u where u.code = c.code)
      and not exists (select from loyalty_voucher_hold h where h.code = c.code and h.until > moment)
    order by v.id desc
  loop
    perform 1 from loyalty_voucher_code c where c.code = voucher.code for update;
    if loyalty_debt_of(the_customer) = 0 then
      delete from loyalty_voucher_cancel c where c.code = voucher.code;
    elsif voucher.expires_at > moment then
      perform loyalty_cancel_voucher(voucher, moment);
    end if;
  end loop;
end $$;
