-- Credits points, and settles the customer's debt with them, the oldest first, as an entry of its own. Outcomes are those
-- of loyalty_move; the balance is the one after settling. Called by src/loyalty/ledger/ledger.server.ts.
create or replace function loyalty_credit(
  the_customer bigint, the_points integer, the_kind text, the_cause text, the_label jsonb,
  earned_at timestamptz, moment timestamptz,
  out outcome text, out entry_id bigint, out balance_after integer, out earned_before integer, out earned_after integer,
  out debt_after integer
) language plpgsql as $$
declare
  debt record;
  due integer;
begin
  select m.outcome, m.entry_id, m.balance_after, m.earned_before, m.earned_after
  into outcome, entry_id, balance_after, earned_before, earned_after
  from loyalty_move(the_customer, the_points, the_kind, the_cause, the_label, earned_at, moment) m;
  debt_after := loyalty_debt_of(the_customer);
  if outcome <> 'done' or debt_after = 0 then
    return;
  end if;
  due := least(debt_after, balance_after);
  perform loyalty_move(the_customer, -due, 'settle', 'settle:' || entry_id, '{}', moment, moment);
  balance_after := balance_after - due;
  debt_after := debt_after - due;
  for debt in
    select d.id, d.remaining from loyalty_debt d
    where d.customer_id = the_customer and d.remaining > 0 order by d.owed_at, d.id
  loop
    update loyalty_debt d set remaining = d.remaining - least(d.remaining, due)
    where d.customer_id = the_customer and d.id = debt.id;
    due := due - least(debt.remaining, due);
    exit when due = 0;
  end loop;
end $$;
