-- Checks a key and finds members with it, in one round trip. Outcomes: those of shop_call and of shop_find_members.
-- Unused since migration 0024, and there for the release before it.
create or replace function shop_identify(
  the_prefix text, the_secret_hash bytea, most_calls integer, most_misses integer, most_by_contact integer,
  the_kind text, the_value text, the_entry_mode text, moment timestamptz,
  out outcome text, out wait_seconds integer, out shop_id integer, out members jsonb
) language plpgsql as $$
declare
  call record;
begin
  select * into call from shop_call(the_prefix, the_secret_hash, array['identify'], most_calls, moment);
  outcome := call.outcome;
  wait_seconds := call.wait_seconds;
  shop_id := call.shop_id;
  if outcome <> 'done' then
    return;
  end if;
  select f.outcome, f.members into outcome, members
  from shop_find_members(
    the_prefix, call.shop_id, null, call.misses, call.by_contact, most_misses, most_by_contact,
    the_kind, the_value, the_entry_mode, moment) f;
end $$;
