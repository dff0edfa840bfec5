-- When the customer last proved who they are in this session, with a password or at a provider. Null: never, as after
-- an autologin. Adding a way in asks for a proof that is fresh.
alter table session add column proved_at timestamptz;
