-- The voucher that a campaign gives to a member: an entry of 0 points and the voucher, in one call, once for a member however
-- often it is asked for. A member who agreed to offers by email, at an address that was confirmed, is to get one: email is
-- null for the others. Outcomes: done; repeated; none (no member any more, blocked, or the campaign has ended); code_taken
-- (draw another code). Called by src/loyalty/ledger/campaign-vouchers.server.ts.
create or replace function loyalty_campaign_voucher(
  the_customer bigint, the_campaign integer, the_code text, moment timestamptz,
  out outcome text, out voucher_id bigint, out amount_cents integer, out expires_at timestamptz,
  out email text, out firstname text, out language text
) language plpgsql as $$
declare
  person customer;
  account loyalty_account;
  given campaign;
begin
  select * into person from customer c where c.id = the_customer for no key update;
  select * into account from loyalty_account a where a.customer_id = the_customer for update;
  select * into given from campaign c where c.id = the_campaign;
  if account.state is distinct from 'active' or person.blocked_at is not null
     or coalesce(given.ended_at, given.ends_at) <= moment then
    outcome := 'none';
    return;
  end if;
  perform 1 from loyalty_entry e where e.customer_id = the_customer and e.cause = 'campaign:' || the_campaign;
  if found then
    outcome := 'repeated';
    return;
  end if;
  insert into loyalty_voucher_code (code, customer_id) values (the_code, the_customer) on conflict do nothing;
  if not found then
    outcome := 'code_taken';
    return;
  end if;
  amount_cents := given.voucher_cents;
  expires_at := club_day_end(club_day(moment) + given.voucher_days);
  insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, recorded_at)
  values (the_customer, moment, 'gift', 0, account.balance, 'campaign:' || the_campaign,
    jsonb_build_object('texts', given.name), moment)
  returning id into voucher_id;
  insert into loyalty_voucher
    (customer_id, id, campaign_id, code, points, amount_cents, minimum_cents, obtained_at, expires_at)
  values (the_customer, voucher_id, the_campaign, the_code, 0, given.voucher_cents, given.minimum_cents, moment,
    loyalty_campaign_voucher.expires_at);
  if person.newsletter and person.email_verified_at is not null then
    email := person.email;
  end if;
  firstname := person.firstname;
  language := person.language;
  outcome := 'done';
end $$;
