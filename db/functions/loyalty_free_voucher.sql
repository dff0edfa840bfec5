-- Writes a voucher that costs no points, of a reward or of a campaign: its code, an entry of 0 points and the voucher, good for
-- so many days. The caller holds the account's lock. Null where the code is taken (draw another one). Called by
-- loyalty_campaign_voucher and loyalty_gift.
create or replace function loyalty_free_voucher(
  account loyalty_account, the_code text, the_cause text, the_label jsonb, the_programme integer, the_reward integer,
  the_campaign integer, the_amount integer, the_minimum integer, days integer, moment timestamptz,
  out voucher_id bigint, out expires_at timestamptz
) language plpgsql as $$
begin
  insert into loyalty_voucher_code (code, customer_id) values (the_code, account.customer_id) on conflict do nothing;
  if not found then
    return;
  end if;
  expires_at := club_day_end(club_day(moment) + days);
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, recorded_at)
  values (account.customer_id, moment, 'gift', 0, account.balance, the_cause, the_label, moment)
  returning id into voucher_id;
  insert into loyalty_voucher (customer_id, id, programme_id, reward_id, campaign_id, code, points, amount_cents,
    minimum_cents, obtained_at, expires_at)
  values (account.customer_id, voucher_id, the_programme, the_reward, the_campaign, the_code, 0, the_amount, the_minimum,
    moment, loyalty_free_voucher.expires_at);
end $$;
