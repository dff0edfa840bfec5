-- All addresses of one mailbox are one person: plus-tags and, at Gmail, dots bring no second welcome gift.

create or replace function loyalty_hash(value text) returns bytea
  language sql stable
  return (select sha256(outer_key || sha256(inner_key || convert_to(value, 'UTF8'))) from loyalty_person_key);

create or replace function mailbox_of(email text) returns text
  language sql immutable parallel safe
  return case
    when position('@' in email) = 0 then email
    when split_part(email, '@', 2) in ('gmail.com', 'googlemail.com')
      then replace(regexp_replace(split_part(email, '@', 1), '(.)\+.*$', '\1'), '.', '') || '@gmail.com'
    else regexp_replace(split_part(email, '@', 1), '(.)\+.*$', '\1') || '@' || split_part(email, '@', 2)
  end;

create or replace function loyalty_person(email text) returns bytea
  language sql stable
  return loyalty_hash(mailbox_of(email));

create or replace function loyalty_had_welcome(email text) returns boolean
  language sql stable
  return exists (select from loyalty_welcome where person in (loyalty_person(email), loyalty_hash(email)));

-- People who have had the gift, under the hash of their mailbox too. The hashes of erased accounts cannot be recomputed;
-- they stay, and loyalty_had_welcome compares the address as written with them.
insert into loyalty_welcome (person, given_at)
select loyalty_person(c.email), min(w.given_at)
from customer c join loyalty_welcome w on w.person = loyalty_hash(c.email)
where mailbox_of(c.email) <> c.email
group by 1
on conflict do nothing;

-- From which network (a keyed hash) a customer was when they got the gift; deleted after a day. Many from one network
-- are reported to head office.
create table loyalty_welcome_network (
  customer_id bigint primary key references customer on delete cascade,
  network bytea not null,
  given_at timestamptz not null
);
create index loyalty_welcome_network_given on loyalty_welcome_network (network, given_at);
