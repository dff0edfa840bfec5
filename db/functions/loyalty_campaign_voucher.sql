-- The voucher that a campaign gives to a member (loyalty_free_voucher), once for a member however often it is asked for. A
-- member who agreed to offers by email, at an address that was confirmed, is to get one: email is null for the others.
-- Outcomes: done; repeated; none (no member any more, blocked, or the campaign has ended); code_taken (draw another code).
-- Called by src/loyalty/ledger/campaign-vouchers.server.ts.
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
  select w.voucher_id, w.expires_at into voucher_id, expires_at
  from loyalty_free_voucher(account, the_code, 'campaign:' || the_campaign, jsonb_build_object('texts', given.name), null, null,
    the_campaign, given.voucher_cents, given.minimum_cents, given.voucher_days, moment) w;
  if voucher_id is null then
    outcome := 'code_taken';
    return;
  end if;
  amount_cents := given.voucher_cents;
  if person.newsletter and person.email_verified_at is not null then
    email := person.email;
  end if;
  firstname := person.firstname;
  language := person.language;
  outcome := 'done';
end $$;
