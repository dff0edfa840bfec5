-- A voucher of an account that becomes part of another, as a new one of the survivor: the same value, good until the same
-- day, an entry of 0 points. It keeps the points of the old one, in case it is cancelled; loyalty_merge brings its lots. The
-- old code ends with its account. Outcomes: done; code_taken (draw another code).
-- Called by src/loyalty/ledger/merge/merge.server.ts.
create or replace function loyalty_merge_voucher(
  the_old_code text, the_code text, the_survivor bigint, moment timestamptz,
  out outcome text, out voucher_id bigint, out amount_cents integer, out expires_at timestamptz
) language plpgsql as $$
declare
  old loyalty_voucher;
  account loyalty_account;
begin
  select v.* into old from loyalty_voucher_code c
  join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code where c.code = the_old_code;
  insert into loyalty_voucher_code (code, customer_id) values (the_code, the_survivor) on conflict do nothing;
  if not found then
    outcome := 'code_taken';
    return;
  end if;
  select * into account from loyalty_account where customer_id = the_survivor;
  amount_cents := old.amount_cents;
  expires_at := old.expires_at;
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, copied, recorded_at)
  values (the_survivor, moment, 'reissue', 0, account.balance, 'reissue:' || the_old_code,
    jsonb_build_object('reward', old.reward_id), true, moment)
  returning id into voucher_id;
  insert into loyalty_voucher
    (customer_id, id, programme_id, reward_id, code, points, amount_cents, minimum_cents, campaign_id, obtained_at,
     expires_at)
  values (the_survivor, voucher_id, old.programme_id, old.reward_id, the_code, old.points, old.amount_cents,
    old.minimum_cents, old.campaign_id, moment, old.expires_at);
  outcome := 'done';
end $$;
