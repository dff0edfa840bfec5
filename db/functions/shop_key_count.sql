-- Counts a call of a key or a till by the minute. Called by till_call.
create or replace function shop_key_count(
  the_prefix text, moment timestamptz,
  out calls integer, out failed_attempts integer, out by_contact integer, out wait_seconds integer
) language plpgsql as $$
begin
  insert into shop_key_use as u (prefix, minute, calls, failed_attempts, by_contact)
  values (the_prefix, date_trunc('minute', moment), 1, 0, 0)
  on conflict (prefix) do update set
    minute = excluded.minute,
    calls = case when u.minute = excluded.minute then u.calls + 1 else 1 end,
    failed_attempts = case when u.minute = excluded.minute then u.failed_attempts else 0 end,
    by_contact = case when u.minute = excluded.minute then u.by_contact else 0 end
  returning u.calls, u.failed_attempts, u.by_contact into calls, failed_attempts, by_contact;
  wait_seconds := ceil(60 - extract(second from moment));
end $$;
