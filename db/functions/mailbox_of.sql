-- One spelling for the addresses of one mailbox: without a plus-tag and, where the provider ignores them, without dots.
-- Only for comparing people (loyalty_person); customers sign in with the address as they gave it. Other texts, such as
-- phone numbers, are returned as they are. Called by
-- src/office/shops/people.server.ts, src/office/campaigns/results/reached.server.ts, src/move/export/export-queries.server.ts,
-- customers_share and loyalty_person.
create or replace function mailbox_of(email text) returns text
  language sql immutable parallel safe
  return case
    when position('@' in email) = 0 then email
    when split_part(email, '@', 2) in ('gmail.com', 'googlemail.com')
      then replace(regexp_replace(split_part(email, '@', 1), '(.)\+.*$', '\1'), '.', '') || '@gmail.com'
    else regexp_replace(split_part(email, '@', 1), '(.)\+.*$', '\1') || '@' || split_part(email, '@', 2)
  end;
