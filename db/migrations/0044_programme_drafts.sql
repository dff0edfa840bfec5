-- Drafts of the programme, one open at a time, and what the simulator found for their revisions.

create table loyalty_draft (
  id integer generated always as identity primary key,
  programme_id integer not null references loyalty_programme,
  -- Counts up with each save: who saves an older one is told.
  revision integer not null default 1,
  label text not null,
  rules jsonb not null,
  -- The version whose rules it began with.
  based_on integer not null,
  state text not null check (state in ('open', 'asked', 'published', 'discarded')),
  saved_by integer references staff,
  saved_at timestamptz not null,
  starts_at timestamptz,
  asked_by integer references staff,
  asked_at timestamptz,
  decided_by integer references staff,
  decided_at timestamptz,
  -- The version it was published as.
  version integer,
  check (decided_by is null or state <> 'published' or decided_by <> asked_by)
);
create unique index loyalty_draft_open on loyalty_draft (programme_id) where state in ('open', 'asked');

-- Members in a result are ids alone; their names are read with it.
create table loyalty_simulation (
  id integer generated always as identity primary key,
  draft_id integer not null references loyalty_draft,
  revision integer not null,
  state text not null check (state in ('running', 'done', 'cancelled', 'failed')),
  started_by integer references staff,
  started_at timestamptz not null,
  finished_at timestamptz,
  customers_done integer not null default 0,
  customers_total integer not null default 0,
  result jsonb
);
create index loyalty_simulation_draft on loyalty_simulation (draft_id, id desc);
