-- The hash of an address or a phone number by this installation's key: a plain expression, so that PostgreSQL makes it part
-- of a statement over many rows. Called by
-- src/move/export/export-queries.server.ts and loyalty_hash.
create or replace function loyalty_keyed_hash(value text, key loyalty_person_key) returns bytea
  language sql immutable parallel safe
  return sha256(key.outer_key || sha256(key.inner_key || convert_to(value, 'UTF8')));
