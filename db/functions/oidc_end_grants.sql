-- Ends what clients may do for a customer, also where it outlives sessions: after a reset, a block and "sign out
-- everywhere". What the session with the given id gave stays.
-- Called by src/identity/session/session.server.ts.
create or replace function oidc_end_grants(the_customer bigint, kept_session bigint) returns void
  language sql as $$
  delete from oidc_artifact a
  where a.customer_id = the_customer and a.grant_id is not null and not exists (
    select from oidc_login l
    where l.customer_id = the_customer and l.session_id = kept_session and l.grant_id = a.grant_id)
$$;
