-- A reward that costs the member no points (loyalty_free_voucher). Outcomes: done; not_a_member; unknown
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
  select w.voucher_id, w.expires_at into voucher_id, expires_at
  from loyalty_free_voucher(account, the_code, 'gift:' || the_code, jsonb_build_object('reward', the_reward),
    reward.programme_id, the_reward, null, reward.amount_cents, null, reward.valid_days, moment) w;
  if voucher_id is null then
    outcome := 'code_taken';
    return;
  end if;
  amount_cents := reward.amount_cents;
  reward_name := reward.name;
  outcome := 'done';
end $$;
