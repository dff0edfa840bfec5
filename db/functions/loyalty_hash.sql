-- A keyed hash (HMAC-SHA-256 construction with two stored keys) of a text; needs no extension.
-- Called by src/loyalty/membership/gift-report.server.ts, src/loyalty/membership/welcome-gift.server.ts, loyalty_person and loyalty_had_welcome.
create or replace function loyalty_hash(value text) returns bytea
  language sql stable
  return (select loyalty_keyed_hash(value, key) from loyalty_person_key key);
