-- A voucher that costs no points: an entry of 0 points and the voucher, in one call. Outcomes: done; not_a_member; unknown
-- (no such reward); code_taken (draw another code). Called by src/loyalty/ledger/gifts.server.ts.
create or replace function loyalty_gift(
  the_customer bigint, the_programme integer, the_reward integer, the_code text, moment timestamptz,
  out outcome text, out voucher_id bigint, out amount_cents integer, out reward_name jsonb, out expires_at timestamptz
) language plpgsql as $$
declare
  account loyalty_account;
  reward loyalty_reward;
begin
  perform 1 from customer where id = the_customer for no key update;
  select * into account from loyalty_account where customer_id = the_customer for update;
  if not found or account.state <> 'active' then
    outcome := 'not_a_member';
    return;
  end if;
  select r.* into reward from loyalty_programme_at(the_programme, moment) p
  join loyalty_reward r on r.programme_id = p.id and r.id = the_reward;
  if not found then
    outcome := 'unknown';
    return;
  end if;
  insert into loyalty_voucher_code (code, customer_id) values (the_code, the_customer) on conflict do nothing;
  if not found then
    outcome := 'code_taken';
    return;
  end if;
  amount_cents := reward.amount_cents;
  reward_name := reward.name;
  expires_at := club_day_end(club_day(moment) + reward.valid_days);
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, recorded_at)
  values (the_customer, moment, 'gift', 0, account.balance, 'gift:' || the_code,
    jsonb_build_object('reward', the_reward), moment)
  returning id into voucher_id;
  insert into loyalty_voucher
    (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
  values (the_customer, voucher_id, reward.programme_id, the_reward, the_code, 0, reward.amount_cents, moment,
    loyalty_gift.expires_at);
  outcome := 'done';
end $$;
