-- Points become a voucher, in one call: the debit and the voucher it buys are never apart. Also returns what the email
-- about it needs. With a debt no voucher is obtained: short. Outcomes besides those of loyalty_move: unknown (no such
-- reward); code_taken (draw another code).
-- Called by loyalty_obtain_confirmed.
create or replace function loyalty_obtain(
  the_customer bigint, the_programme integer, the_reward integer, the_code text, moment timestamptz,
  out outcome text, out voucher_id bigint, out balance_after integer, out cost integer, out amount_cents integer,
  out reward_name jsonb, out expires_at timestamptz, out email text, out firstname text
) language plpgsql as $$
declare
  reward loyalty_reward;
begin
  select r.* into reward from loyalty_programme_at(the_programme, moment) p
  join loyalty_reward r on r.programme_id = p.id and r.id = the_reward;
  if not found then
    outcome := 'unknown';
    return;
  end if;
  -- Pending points that have arrived, or a voucher whose hold has ended, may settle it.
  if loyalty_debt_of(the_customer) > 0 then
    perform loyalty_refresh(the_customer, moment);
    if loyalty_debt_of(the_customer) > 0 then
      outcome := 'short';
      return;
    end if;
  end if;
  insert into loyalty_voucher_code (code, customer_id) values (the_code, the_customer) on conflict do nothing;
  if not found then
    outcome := 'code_taken';
    return;
  end if;
  select moved.outcome, moved.entry_id, moved.balance_after into outcome, voucher_id, balance_after
  from loyalty_move(the_customer, -reward.points, 'reward', 'voucher:' || the_code,
    jsonb_build_object('reward', the_reward), moment, moment) moved;
  if outcome <> 'done' then
    return;
  end if;
  cost := reward.points;
  amount_cents := reward.amount_cents;
  reward_name := reward.name;
  expires_at := club_day_end(club_day(moment) + reward.valid_days);
  insert into loyalty_voucher
    (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
  values (the_customer, voucher_id, reward.programme_id, the_reward, the_code, cost, reward.amount_cents, moment,
    loyalty_obtain.expires_at);
  select c.email, c.firstname into email, firstname from customer c where c.id = the_customer;
end $$;
