-- A PIN is chosen by its owner, by a link that is mailed to them: who adds a person never knows it.
create table staff_pin_link (
  token_hash bytea primary key,
  staff_id integer not null references staff,
  ends_at timestamptz not null
);
create index staff_pin_link_of on staff_pin_link (staff_id);
