-- Credits points, and settles the customer's debt with them. Outcomes are those of loyalty_move; the balance is the one
-- after settling. Called by src/loyalty/ledger/ledger.server.ts.
create or replace function loyalty_credit(
  the_customer bigint, the_points integer, the_kind text, the_cause text, the_label jsonb,
  earned_at timestamptz, moment timestamptz,
  out outcome text, out entry_id bigint, out balance_after integer, out earned_before integer, out earned_after integer,
  out debt_after integer
) language plpgsql as $$
begin
  select m.outcome, m.entry_id, m.balance_after, m.earned_before, m.earned_after
  into outcome, entry_id, balance_after, earned_before, earned_after
  from loyalty_move(the_customer, the_points, the_kind, the_cause, the_label, earned_at, moment) m;
  debt_after := loyalty_debt_of(the_customer);
  if outcome <> 'done' or debt_after = 0 then
    return;
  end if;
  debt_after := loyalty_settle(the_customer, 'settle:' || entry_id, moment);
  select a.balance into balance_after from loyalty_account a where a.customer_id = the_customer;
end $$;
