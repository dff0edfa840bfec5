-- Vouchers as a till sees them: those with these codes, and all that a customer can still use. One that is to be cancelled
-- when its hold ends is cancelled for every other receipt.
-- Called by src/shop/sales/voucher/holds.server.ts, shop_find_members and shop_sale_facts.
create or replace function shop_vouchers(the_customer bigint, the_codes text[], moment timestamptz) returns jsonb
  language sql stable
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'code', v.code, 'customerId', v.customer_id, 'valueCents', v.amount_cents,
      'minimumCents', coalesce(v.minimum_cents, r.minimum_basket_cents, v.amount_cents),
      'usableOn', coalesce(r.usable_on, g.line_rule),
      'obtainedAt', v.obtained_at, 'expiresAt', v.expires_at, 'usedAt', coalesce(u.used_at, v.used_at),
      'cancelled', x.code is not null and (x.cancelled_at is not null or coalesce(h.until, moment) <= moment),
      'toCancel', x.code is not null,
      'erased', a.state = 'erased',
      'blocked', exists (select from customer c where c.id = v.customer_id and c.blocked_at is not null),
      -- One of a former club was printed: it is as good as there, whatever address the member has.
      'unconfirmed', exists (select from customer c where c.id = v.customer_id and c.email_verified_at is null)
        and not exists (select from loyalty_entry e
          where e.customer_id = v.customer_id and e.id = v.id and e.kind = 'import_voucher'),
      'hold', case when h.code is not null then jsonb_build_object(
        'shopId', h.shop_id, 'number', h.number, 'reference', h.reference, 'heldAt', h.held_at, 'until', h.until) end) order by v.expires_at, v.id)
    from (
      select v.* from loyalty_voucher_code c
      join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code
      where c.code = any (the_codes)
      union
      select v.* from loyalty_voucher v
      where v.customer_id = the_customer and v.used_at is null and v.expires_at > moment
        and not exists (select from loyalty_voucher_use u where u.code = v.code)
        and not exists (select from loyalty_voucher_cancel x where x.code = v.code and x.cancelled_at is not null)
    ) v
    join loyalty_account a on a.customer_id = v.customer_id
    left join loyalty_reward r on r.programme_id = v.programme_id and r.id = v.reward_id
    left join campaign g on g.id = v.campaign_id
    left join loyalty_voucher_use u on u.code = v.code
    left join loyalty_voucher_cancel x on x.code = v.code
    left join loyalty_voucher_hold h on h.code = v.code), '[]');
