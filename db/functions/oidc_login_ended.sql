-- Trigger function: however a session ends (sign-out, list of devices, expiry, reset, block, erasure, merge), the sign-ins
-- that it gave to clients end with it: the provider's own session, the tokens, unless the client's outlive sessions, and
-- the client is told by a job. The job's handler is in src/oidc.
-- Called by the trigger oidc_login_ended on oidc_login.
create or replace function oidc_login_ended() returns trigger language plpgsql as $$
begin
  -- The customer may also have withdrawn one client's access: the session and the other clients' sign-ins stay.
  if not exists (select from session where customer_id = old.customer_id and id = old.session_id) then
    delete from oidc_artifact where uid = old.uid;
  end if;
  if not old.outlives_session then delete from oidc_artifact where grant_id = old.grant_id; end if;
  if exists (select from oidc_client where id = old.client_id and metadata ? 'backchannel_logout_uri') then
    perform graphile_worker.add_job('oidc:back-channel-logout', json_build_object(
      'clientId', old.client_id, 'subject', old.subject, 'sid', old.sid), max_attempts => 25);
  end if;
  return null;
end $$;
