-- A new voucher of the same value in place of one that was used on a sale since returned: an entry of 0 points, good
-- until the later of the old end and 30 days. It keeps the points and the lots of the old one, in case it is cancelled.
-- While its owner has a debt, the points of the old one are given back instead, to settle it. Where the account has become
-- part of another, it belongs to that one. Outcomes: done; points_back (the points were given back); repeated; code_taken
-- (draw another code); not_found (erased).
-- Called by src/loyalty/ledger/ledger.server.ts.
create or replace function loyalty_reissue(
  the_old_code text, the_code text, moment timestamptz,
  out outcome text, out voucher_id bigint, out customer_id bigint, out amount_cents integer, out expires_at timestamptz,
  out email text, out firstname text, out language text
) language plpgsql as $$
declare
  account loyalty_account;
  old loyalty_voucher;
  owner bigint;
begin
  select c.customer_id into owner from loyalty_voucher_code c where c.code = the_old_code;
  -- Accounts may be merged while this waits for the lock.
  loop
    customer_id := customer_survivor(owner);
    perform 1 from customer where id = loyalty_reissue.customer_id for no key update;
    select * into account from loyalty_account a where a.customer_id = loyalty_reissue.customer_id for update;
    exit when customer_survivor(owner) is not distinct from loyalty_reissue.customer_id;
  end loop;
  if account.customer_id is null or account.state = 'erased' then
    outcome := 'not_found';
    return;
  end if;
  perform 1 from loyalty_entry e
  where e.customer_id = loyalty_reissue.customer_id
    and e.cause in ('reissue:' || the_old_code, 'cancel:' || the_old_code);
  if found then
    outcome := 'repeated';
    return;
  end if;
  select * into old from loyalty_voucher v
  where v.customer_id = owner and v.code = the_old_code;
  if old.points > 0 and loyalty_debt_of(loyalty_reissue.customer_id) > 0
     and exists (
       select from loyalty_lot_use u where u.customer_id = loyalty_reissue.customer_id and u.entry_id = old.id) then
    perform loyalty_refill(
      loyalty_reissue.customer_id, old.id, old.points, 'cancel:' || the_old_code, old.reward_id, moment);
    outcome := 'points_back';
    return;
  end if;
  insert into loyalty_voucher_code (code, customer_id) values (the_code, loyalty_reissue.customer_id)
  on conflict do nothing;
  if not found then
    outcome := 'code_taken';
    return;
  end if;
  amount_cents := old.amount_cents;
  expires_at := greatest(old.expires_at, club_day_end(club_day(moment) + 30));
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, recorded_at)
  values (loyalty_reissue.customer_id, moment, 'reissue', 0, account.balance, 'reissue:' || the_old_code,
    jsonb_build_object('reward', old.reward_id), moment)
  returning id into voucher_id;
  insert into loyalty_voucher
    (customer_id, id, programme_id, reward_id, code, points, amount_cents, minimum_cents, campaign_id, obtained_at,
     expires_at)
  values (loyalty_reissue.customer_id, voucher_id, old.programme_id, old.reward_id, the_code, old.points,
    old.amount_cents, old.minimum_cents, old.campaign_id, moment, loyalty_reissue.expires_at);
  insert into loyalty_lot_use (customer_id, entry_id, lot_id, points)
  select u.customer_id, voucher_id, u.lot_id, u.points from loyalty_lot_use u
  where u.customer_id = loyalty_reissue.customer_id and u.entry_id = old.id;
  select c.email, c.firstname, c.language into email, firstname, language
  from customer c where c.id = loyalty_reissue.customer_id;
  outcome := 'done';
end $$;
