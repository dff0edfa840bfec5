-- Who calls with a key of a shop, counted by the minute. Outcomes: done; key_invalid (unknown, revoked, past its end, or a till's);
-- scope_missing; too_many (with the seconds to wait). The key's last use is written at most once an hour.
-- Unused since migration 0024: src/shop checks keys in SQL of its own. Called by shop_identify.
create or replace function shop_call(
  the_prefix text, the_secret_hash bytea, the_scopes text[], most_calls integer, moment timestamptz,
  out outcome text, out shop_id integer, out shop_name text, out scopes text[], out misses integer, out by_contact integer,
  out wait_seconds integer
) language plpgsql as $$
declare
  key shop_key;
  calls_now integer;
begin
  select * into key from shop_key k
  where k.prefix = the_prefix and k.secret_hash = the_secret_hash and k.kind = 'key'
    and k.revoked_at is null and (k.ends_at is null or k.ends_at > moment);
  if not found then
    outcome := 'key_invalid';
    return;
  end if;
  shop_id := key.shop_id;
  shop_name := (select s.name from shop s where s.id = key.shop_id);
  scopes := key.scopes;
  select c.calls, c.misses, c.by_contact, c.wait_seconds into calls_now, misses, by_contact, wait_seconds
  from shop_key_count(the_prefix, moment) c;
  if not key.scopes @> the_scopes then
    outcome := 'scope_missing';
    return;
  end if;
  if calls_now > most_calls then
    outcome := 'too_many';
    return;
  end if;
  if key.used_at is null or key.used_at < moment - interval '1 hour' then
    update shop_key k set used_at = moment where k.prefix = the_prefix;
  end if;
  outcome := 'done';
end $$;
