-- The back office: how staff sign in there. Of tokens only the SHA-256 is stored.

alter table staff add column password_hash text;
-- The shared secret of one-time codes (RFC 6238), encrypted with a key that is not in the database.
alter table staff add column totp_secret bytea;
-- The time step of the last code that was accepted: neither it nor an earlier one is accepted again.
alter table staff add column totp_step bigint;

create table staff_session (
  token_hash bytea primary key,
  staff_id integer not null references staff,
  opened_at timestamptz not null,
  seen_at timestamptz not null,
  -- When they last proved who they are.
  proved_at timestamptz not null
);
create index staff_session_staff on staff_session (staff_id);

-- An invitation that was mailed; accepting it deletes it. Password and secret wait here until a first code confirms them.
create table staff_invitation (
  token_hash bytea primary key,
  staff_id integer not null references staff,
  ends_at timestamptz not null,
  password_hash text,
  totp_secret bytea
);
create index staff_invitation_staff on staff_invitation (staff_id);

create table staff_passkey (
  credential_id bytea primary key,
  staff_id integer not null references staff,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index staff_passkey_staff on staff_passkey (staff_id);

create index audit_log_action on audit_log (action, id);
create index audit_log_at on audit_log (at);
