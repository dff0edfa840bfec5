-- A keyed hash (HMAC-SHA-256 construction with two stored keys) of a text; needs no extension.
-- Called by src/loyalty/membership/gift-report.server.ts, loyalty_person and loyalty_had_welcome.
create or replace function loyalty_hash(value text) returns bytea
  language sql stable
  return (select sha256(outer_key || sha256(inner_key || convert_to(value, 'UTF8'))) from loyalty_person_key);
