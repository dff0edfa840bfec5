-- Writes points.expiring with the email that warns of it. Called by src/loyalty/ledger/warnings/warnings.server.ts.
create or replace function webhook_points_expiring(the_customer bigint, the_points integer, lapses_at timestamptz)
returns void language sql as $$
  select webhook_write('points.expiring', the_customer, null,
    jsonb_build_object('IdCustomer', the_customer, 'Points', the_points, 'ExpiresAt', webhook_time(lapses_at)));
$$;
