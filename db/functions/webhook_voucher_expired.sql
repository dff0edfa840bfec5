-- Writes voucher.expired for the vouchers that ended unused in the twenty days before a moment, each once, 500
-- at a time, so that no transaction is long; returns how many. Less than the thirty days that events are kept, or one
-- would be told again. Called by src/shop/webhooks/clean-up.server.ts.
create or replace function webhook_voucher_expired(moment timestamptz) returns integer language plpgsql as $$
declare
  ended record;
  told integer := 0;
begin
  for ended in
    select v.customer_id, v.id, v.reward_id, v.amount_cents, v.expires_at from loyalty_voucher v
    join loyalty_account a on a.customer_id = v.customer_id and a.state <> 'erased'
    where v.expires_at <= moment and v.expires_at > moment - interval '20 days' and v.used_at is null
      and not exists (select from loyalty_voucher_use u where u.code = v.code)
      and not exists (select from loyalty_voucher_cancel c where c.code = v.code and c.cancelled_at is not null)
      and not exists (
        select from webhook_event e
        where e.type = 'voucher.expired' and e.customer_id = v.customer_id
          and (e.payload -> 'IdCustomerReward')::bigint = v.id)
    order by v.customer_id, v.id limit 500
  loop
    perform webhook_write('voucher.expired', ended.customer_id, null,
      jsonb_build_object(
        'IdCustomer', ended.customer_id, 'IdCustomerReward', ended.id, 'IdLoyaltyReward', ended.reward_id,
        'Value', webhook_amount(ended.amount_cents), 'ExpiredAt', webhook_time(ended.expires_at)));
    told := told + 1;
  end loop;
  return told;
end $$;
