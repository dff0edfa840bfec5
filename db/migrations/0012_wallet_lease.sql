-- Whoever tells the provider about a pass holds a lease on it for as long as that may take. A row lock would hold one of
-- the pool's connections as long.
alter table google_pass
  add column leased_until timestamptz,
  -- A digest of what the phone was last made to notice: a job that was cut off and runs again does so silently.
  add column noticed text;
