-- What the last check of each invariant found: a job writes it, the metrics read it.
create table invariant_check (
  number integer primary key,
  violations bigint not null,
  checked_at timestamptz not null,
  seconds double precision not null
);
