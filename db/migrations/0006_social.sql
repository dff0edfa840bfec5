-- A number issued by us for one social sign-in: it comes back inside the provider's proof, and is used up then.
-- Only its SHA-256 is kept.
create table social_nonce (
  nonce_hash bytea primary key,
  expires_at timestamptz not null
);
create index social_nonce_expiry on social_nonce (expires_at);

-- Keys of the sandbox's own providers; several processes sign with the same one.
create table sandbox_key (
  name text primary key,
  private_jwk jsonb not null
);
