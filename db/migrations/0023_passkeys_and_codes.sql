-- A challenge issued for one WebAuthn ceremony, used up by it. Only its SHA-256 is stored. `subject` says what it was issued
-- for: the sign-in of customers, or a new passkey of one session.
create table webauthn_challenge (
  challenge_hash bytea primary key,
  subject text not null,
  expires_at timestamptz not null
);
create index webauthn_challenge_expiry on webauthn_challenge (expires_at);

create table passkey (
  customer_id bigint not null references customer on delete cascade,
  id bigint generated always as identity,
  -- As the customer calls it: "My phone".
  name text not null,
  public_key bytea not null,
  -- The authenticator's own count of its uses; most passkeys that are synchronised say 0.
  counter bigint not null,
  -- How the authenticator can be reached, as the browser told: 'internal', 'hybrid', 'usb', …
  transports text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (customer_id, id)
);

-- Finds the customer of a passkey, and keeps credentials unique across customers.
create table passkey_credential (
  credential_id bytea primary key,
  customer_id bigint not null,
  passkey_id bigint not null,
  unique (customer_id, passkey_id),
  foreign key (customer_id, passkey_id) references passkey on delete cascade
);

-- The living code of an address, known or not: a wrong code must cost an unknown address the same write as a known one.
-- Address, code and the browser's cookie are stored as keyed hashes.
create table sign_in_code (
  email_hash bytea primary key,
  browser_hash bytea not null,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);
create index sign_in_code_expiry on sign_in_code (expires_at);
