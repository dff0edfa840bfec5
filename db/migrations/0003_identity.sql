-- Sessions, links, social logins, consents. Personal tables begin with the customer; what is looked up
-- by a secret or by somebody else's number stands in a narrow table keyed by it.

create table session (
  customer_id bigint not null references customer on delete cascade,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- "Firefox · Windows": enough to recognise a device, too little to follow one.
  device text,
  -- The provider that opened it, so that signing out can sign out there too.
  social_provider text check (social_provider in ('google', 'facebook')),
  primary key (customer_id, id)
);

-- Only the SHA-256 of a token is kept: a stolen row opens nothing.
create table session_token (
  token_hash bytea primary key,
  customer_id bigint not null,
  session_id bigint not null,
  unique (customer_id, session_id),
  foreign key (customer_id, session_id) references session on delete cascade
);

-- A single-use link. `email` is the address it was made for: following it proves that address and no other.
create table link (
  customer_id bigint not null references customer on delete cascade,
  id bigint generated always as identity,
  purpose text not null check (purpose in ('reset', 'verify', 'autologin', 'guest')),
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (customer_id, id)
);

create table link_token (
  token_hash bytea primary key,
  customer_id bigint not null,
  link_id bigint not null,
  unique (customer_id, link_id),
  foreign key (customer_id, link_id) references link on delete cascade
);

-- Where guests had their parcels sent; the address moves along when the guest becomes a customer.
create table postal_address (
  customer_id bigint not null references customer on delete cascade,
  id bigint generated always as identity,
  address1 text not null,
  address2 text,
  postcode text not null,
  city text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  is_invoice boolean not null default true,
  is_delivery boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (customer_id, id)
);

create table social_login (
  customer_id bigint not null references customer on delete cascade,
  provider text not null check (provider in ('google', 'facebook')),
  created_at timestamptz not null default now(),
  primary key (customer_id, provider)
);

-- One customer per account at a provider.
create table social_account (
  provider text not null,
  provider_customer_id text not null,
  customer_id bigint not null,
  primary key (provider, provider_customer_id),
  unique (customer_id, provider),
  foreign key (customer_id, provider) references social_login on delete cascade
);

-- Every change of an opt-in; the last row of a subject is what holds.
create table consent (
  customer_id bigint not null references customer on delete cascade,
  id bigint generated always as identity,
  subject text not null check (subject in ('newsletter', 'sms', 'loyalty')),
  given boolean not null,
  text_version text not null,
  -- Where it was given: 'registration', 'profile', 'store', 'club', …
  source text not null,
  at timestamptz not null default now(),
  primary key (customer_id, id)
);

create index customer_guest_email on customer (email) where guest;
create index session_expiry on session (expires_at);
create index link_expiry on link (expires_at);

-- Counters of the limits; the keys are hashes. The columns are the limiter library's own.
create table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limit_expire on rate_limit (expire);
