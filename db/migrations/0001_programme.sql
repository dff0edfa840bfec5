-- The club as data: programme, tiers, events and rewards, each text in the three languages.

create domain three_languages as jsonb
  check (value ?& array['fr', 'en', 'de']);

create table loyalty_programme (
  id integer primary key,
  welcome_points integer not null check (welcome_points >= 0)
);

create table loyalty_tier (
  programme_id integer not null references loyalty_programme,
  id integer not null,
  rank integer not null,
  points_required integer not null check (points_required >= 0),
  name three_languages not null,
  benefits three_languages not null,
  primary key (programme_id, id),
  unique (programme_id, rank),
  unique (programme_id, points_required)
);

-- `proof` names the rule by which the server itself sees that the event happened.
create table loyalty_event (
  programme_id integer not null references loyalty_programme,
  id integer not null,
  proof text not null,
  points integer not null check (points > 0),
  frequency text not null check (frequency in ('once', 'yearly')),
  name three_languages not null,
  description three_languages not null,
  hint three_languages not null,
  primary key (programme_id, id),
  unique (programme_id, proof)
);

create table loyalty_reward (
  programme_id integer not null references loyalty_programme,
  id integer not null,
  points integer not null check (points > 0),
  amount_cents integer not null check (amount_cents > 0),
  valid_days integer not null check (valid_days > 0),
  name three_languages not null,
  description three_languages not null,
  primary key (programme_id, id)
);
