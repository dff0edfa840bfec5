-- Obtains a reward for a customer whose e-mail address is confirmed; the outcome unconfirmed besides those of
-- loyalty_obtain. It has a name of its own because the release before it does not know that outcome. A confirmed address
-- stays confirmed, so no points are spent without it, whatever happens between the two steps.
-- Called by src/loyalty/ledger/ledger.server.ts.
create or replace function loyalty_obtain_confirmed(
  the_customer bigint, the_programme integer, the_reward integer, the_code text, moment timestamptz,
  out outcome text, out voucher_id bigint, out balance_after integer, out cost integer, out amount_cents integer,
  out reward_name jsonb, out expires_at timestamptz, out email text, out firstname text
) language plpgsql as $$
begin
  perform from customer where id = the_customer and email_verified_at is null;
  if found then
    outcome := case
      when not exists (select from loyalty_programme_at(the_programme, moment) p
        join loyalty_reward r on r.programme_id = p.id and r.id = the_reward) then 'unknown'
      when exists (select from loyalty_account where customer_id = the_customer and state = 'active') then 'unconfirmed'
      else 'not_a_member' end;
    return;
  end if;
  select o.outcome, o.voucher_id, o.balance_after, o.cost, o.amount_cents, o.reward_name, o.expires_at, o.email,
    o.firstname
  into outcome, voucher_id, balance_after, cost, amount_cents, reward_name, expires_at, email, firstname
  from loyalty_obtain(the_customer, the_programme, the_reward, the_code, moment) o;
end $$;
