-- Trigger function: consent.withdrawn, when a customer no longer agrees to the newsletter or to text messages. That the
-- club's was withdrawn is member.left. Called by the trigger consent_withdrawn on consent.
create or replace function webhook_consent() returns trigger language plpgsql as $$
begin
  perform webhook_write('consent.withdrawn', new.customer_id, null,
    jsonb_build_object('IdCustomer', new.customer_id, 'Consent', new.subject));
  return null;
end $$;
