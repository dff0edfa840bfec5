-- Points of invented addresses buy nothing, and a phone number brings its SMS bonus once.

-- Obtains a reward for a customer whose address is confirmed. A name of its own, because the release before knows no
-- outcome 'unconfirmed'. An address once confirmed stays so: whatever happens between the two steps, no points are
-- spent without it.
create function loyalty_obtain_confirmed(
  the_customer bigint, the_programme integer, the_reward integer, the_code text, moment timestamptz,
  out outcome text, out voucher_id bigint, out balance_after integer, out cost integer, out amount_cents integer,
  out reward_name jsonb, out expires_at timestamptz, out email text, out firstname text
) language plpgsql as $$
begin
  perform from customer where id = the_customer and email_verified_at is null;
  if found then
    perform from loyalty_account where customer_id = the_customer and state = 'active';
    outcome := case when found then 'unconfirmed' else 'not_a_member' end;
    return;
  end if;
  select o.outcome, o.voucher_id, o.balance_after, o.cost, o.amount_cents, o.reward_name, o.expires_at, o.email,
    o.firstname
  into outcome, voucher_id, balance_after, cost, amount_cents, reward_name, expires_at, email, firstname
  from loyalty_obtain(the_customer, the_programme, the_reward, the_code, moment) o;
end $$;

-- Phone numbers whose SMS bonus was given, hashed with the key of loyalty_welcome: the number itself need not stay.
create table loyalty_sms_bonus (
  phone bytea primary key,
  given_at timestamptz not null
);

insert into loyalty_sms_bonus (phone, given_at)
select loyalty_person(c.mobile_phone), min(e.at)
from loyalty_event v
join loyalty_account a on a.programme_id = v.programme_id
join customer c on c.id = a.customer_id and c.mobile_phone is not null
join loyalty_entry e on e.customer_id = c.id and e.cause = 'event:' || v.id
where v.proof = 'sms'
group by 1;
