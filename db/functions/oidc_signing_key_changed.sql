-- Trigger function: tells every process that the signing keys changed.
-- Called by the trigger oidc_signing_key_changed on oidc_signing_key.
create or replace function oidc_signing_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('oidc_signing_key', '');
  return null;
end $$;
