-- Who the customer is. What must be unique for all stands in a narrow table keyed by that value.

create table customer (
  id bigint generated always as identity primary key,
  -- Normalised: trimmed, lower case, domain in ASCII.
  email text not null,
  firstname text not null,
  lastname text not null,
  civility text check (civility in ('M', 'Mme')),
  birthday date,
  -- A birthday changed lately earns no birthday points.
  birthday_changed_at timestamptz,
  -- E.164
  mobile_phone text,
  language text not null default 'fr' check (language in ('fr', 'en', 'de')),
  guest boolean not null default false,
  password_hash text,
  email_verified_at timestamptz,
  newsletter boolean not null default false,
  newsletter_sms boolean not null default false,
  -- Where the registration came from: 'web', 'store', 'google', 'facebook', 'guest'.
  origin text not null default 'web',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  check (not guest or password_hash is null)
);

-- One registered customer per address; guests are not listed here.
create table customer_email (
  email text primary key,
  customer_id bigint not null unique references customer on delete cascade
);
