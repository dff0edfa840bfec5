-- Who calls from a paired till, counted by the minute; with needs_person also who has signed in there. Outcomes: done;
-- not_paired (unknown, revoked, or no till's); too_many (with the seconds to wait); pin_required (no one is signed in, or
-- 3 minutes idle, or for 12 hours). Called by src/till/sign-in/open-till.server.ts.
create or replace function till_call(
  the_prefix text, the_secret_hash bytea, needs_person boolean, the_token_hash bytea, most_calls integer,
  moment timestamptz,
  out outcome text, out shop_id integer, out shop_name text, out shop_city text, out till_name text,
  out scopes text[], out failed_attempts integer, out by_contact integer, out wait_seconds integer,
  out staff_id integer, out own_customer_id bigint
) language plpgsql as $$
declare
  till shop_key;
  calls_now integer;
  last_seen timestamptz;
begin
  select * into till from shop_key k
  where k.prefix = the_prefix and k.secret_hash = the_secret_hash and k.kind = 'till'
    and k.revoked_at is null and (k.ends_at is null or k.ends_at > moment);
  if not found then
    outcome := 'not_paired';
    return;
  end if;
  shop_id := till.shop_id;
  till_name := till.name;
  scopes := till.scopes;
  select s.name, s.city into shop_name, shop_city from shop s where s.id = till.shop_id;
  select c.calls, c.failed_attempts, c.by_contact, c.wait_seconds into calls_now, failed_attempts, by_contact, wait_seconds
  from shop_key_count(the_prefix, moment) c;
  if calls_now > most_calls then
    outcome := 'too_many';
    return;
  end if;
  if till.used_at is null or till.used_at < moment - interval '1 hour' then
    update shop_key k set used_at = moment where k.prefix = the_prefix;
  end if;
  if needs_person then
    select s.staff_id, p.own_customer_id, s.seen_at into staff_id, own_customer_id, last_seen
    from till_session s join staff p on p.id = s.staff_id
    where s.key_prefix = the_prefix and s.token_hash = the_token_hash
      and s.seen_at > moment - interval '3 minutes' and s.opened_at > moment - interval '12 hours'
      and p.ended_at is null;
    if not found then
      outcome := 'pin_required';
      return;
    end if;
    if last_seen < moment - interval '5 seconds' then
      update till_session s set seen_at = moment where s.key_prefix = the_prefix and s.token_hash = the_token_hash;
    end if;
  end if;
  outcome := 'done';
end $$;
