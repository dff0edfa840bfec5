-- The schema of the first release. The functions are in db/functions: the line "functions" is where they are created.

-- Ships with PostgreSQL (contrib); the owner of the database may create it.
create extension if not exists pg_trgm;

create domain three_languages as jsonb check (value ?& array['fr', 'en', 'de']);


-- Settings and jobs of the installation
create table rate_limit (
  key character varying(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limit_expire on rate_limit (expire);


-- Customers
create table customer (
  id bigint generated always as identity primary key,
  subject uuid not null unique default gen_random_uuid(),
  email text not null,
  firstname text not null,
  lastname text not null,
  civility text check (civility in ('M', 'Mme')),
  birthday date,
  birthday_changed_at timestamptz,
  mobile_phone text,
  language text not null default 'fr' check (language in ('fr', 'en', 'de')),
  guest boolean not null default false,
  password_hash text,
  email_verified_at timestamptz,
  newsletter boolean not null default false,
  newsletter_sms boolean not null default false,
  origin text not null default 'web',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  idle_notified_at timestamptz,
  blocked_at timestamptz,
  constraint customer_check check ((not guest) or (password_hash is null))
);
create index customer_guest_email on customer (email) where guest;
create index customer_last_seen on customer (last_seen_at);
create index customer_mobile_phone on customer (mobile_phone) where (mobile_phone is not null);


-- Settings and jobs of the installation
create table mail (
  id bigint generated always as identity primary key,
  cause text not null unique,
  customer_id bigint references customer (id) on delete cascade,
  locale text not null check (locale in ('fr', 'en', 'de')),
  recipient text,
  subject text,
  html text,
  plain_text text,
  unsubscribe_url text,
  message_id text,
  queued_at timestamptz not null default now(),
  sent_at timestamptz,
  refused_at timestamptz,
  constraint mail_check check ((sent_at is null) or (refused_at is null)),
  constraint mail_check1 check ((num_nulls(recipient, subject, html, plain_text) = 0) or ((num_nonnulls(recipient, subject, html, plain_text) = 0) and (num_nonnulls(sent_at, refused_at) = 1)))
);
create index mail_of_customer on mail (customer_id);
create index mail_waiting on mail (queued_at) where ((sent_at is null) and (refused_at is null));

create table idempotency_key (
  customer_id bigint not null,
  call text not null,
  key text not null,
  body_hash bytea not null,
  status integer,
  language text,
  answer text,
  created_at timestamptz not null default now(),
  primary key (customer_id, call, key)
);
create index idempotency_key_age on idempotency_key (created_at);

create table webauthn_challenge (
  challenge_hash bytea primary key,
  subject text not null,
  expires_at timestamptz not null
);
create index webauthn_challenge_expiry on webauthn_challenge (expires_at);


-- Shops and staff
create table shop (
  id integer generated always as identity primary key,
  name text not null check (name <> ''),
  city text not null check (city <> ''),
  kind text not null check (kind in ('boutique', 'web')),
  created_at timestamptz not null default now(),
  closed_at timestamptz
);

create table staff (
  id integer generated always as identity primary key,
  email text not null unique,
  firstname text not null check (firstname <> ''),
  lastname text not null check (lastname <> ''),
  role text not null check (role in ('owner', 'marketing', 'service', 'shop')),
  shop_id integer references shop (id),
  pin_hash text,
  own_customer_id bigint,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  password_hash text,
  totp_secret bytea,
  totp_step bigint,
  added_by integer references staff (id),
  constraint staff_check check ((role = 'shop') = (shop_id is not null))
);
create index staff_own_customer on staff (own_customer_id) where (own_customer_id is not null);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  made_by text not null check (made_by in ('staff', 'device', 'command', 'job', 'customer')),
  staff_id integer,
  action text not null,
  customer_id bigint,
  shop_id integer,
  key_prefix text,
  before jsonb,
  after jsonb,
  reason text,
  request_id text
);
create index audit_log_customer on audit_log (customer_id, id) where (customer_id is not null);
create index audit_log_staff on audit_log (staff_id, id) where (staff_id is not null);
create index audit_log_action on audit_log (action, id);
create index audit_log_at on audit_log (at);
create index audit_log_return_other_shop on audit_log (at) where (action = 'return_other_shop');
create index audit_log_sale_dated_back on audit_log (at) where (action = 'sale_dated_back');

create table audit_personal (
  customer_id bigint not null,
  audit_id bigint not null references audit_log (id),
  personal jsonb not null,
  primary key (customer_id, audit_id)
);

create table staff_session (
  token_hash bytea primary key,
  staff_id integer not null references staff (id),
  opened_at timestamptz not null,
  seen_at timestamptz not null,
  proved_at timestamptz not null,
  proved_for text,
  checked_at timestamptz,
  checking_at timestamptz,
  refresh_token bytea
);
create index staff_session_staff on staff_session (staff_id);

create table staff_company_account (
  issuer text not null,
  subject text not null,
  staff_id integer not null unique references staff (id),
  linked_at timestamptz not null,
  primary key (issuer, subject)
);

create table staff_invitation (
  token_hash bytea primary key,
  staff_id integer not null references staff (id),
  ends_at timestamptz not null,
  password_hash text,
  totp_secret bytea
);
create index staff_invitation_staff on staff_invitation (staff_id);

create table staff_passkey (
  credential_id bytea primary key,
  staff_id integer not null references staff (id),
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index staff_passkey_staff on staff_passkey (staff_id);

create table staff_own_person (
  staff_id integer not null references staff (id),
  person bytea not null,
  primary key (staff_id, person)
);

create table staff_pin_link (
  token_hash bytea primary key,
  staff_id integer not null references staff (id),
  ends_at timestamptz not null
);
create index staff_pin_link_of on staff_pin_link (staff_id);


-- Customers
create table customer_email (
  email text primary key,
  customer_id bigint not null unique references customer (id) on delete cascade
);

-- One hash of each cost that came from another system, without its owner: every wrong password is checked against all of
-- them, so that no response time tells whose hash is old.
create table old_password_sample (
  cost text primary key,
  sample text not null
);

create table session (
  customer_id bigint not null references customer (id) on delete cascade,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  device text,
  social_provider text check (social_provider in ('google', 'facebook')),
  proved_at timestamptz,
  network text,
  primary key (customer_id, id)
);
create index session_expiry on session (expires_at);

create table session_token (
  token_hash bytea primary key,
  customer_id bigint not null,
  session_id bigint not null,
  unique (customer_id, session_id),
  foreign key (customer_id, session_id) references session (customer_id, id) on delete cascade
);

create table oidc_client (
  id text primary key,
  name text not null,
  first_party boolean not null,
  metadata jsonb not null,
  secret_hash bytea,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create table oidc_signing_key (
  kid text primary key,
  sealed_jwk bytea not null,
  state text not null check (state in ('next', 'current', 'retired')),
  since timestamptz not null default now()
);
create unique index oidc_signing_key_one_current on oidc_signing_key (state) where (state = 'current');
create unique index oidc_signing_key_one_next on oidc_signing_key (state) where (state = 'next');

create table oidc_artifact (
  model text not null,
  id_hash bytea not null,
  payload jsonb not null,
  customer_id bigint references customer (id) on delete cascade,
  grant_id text,
  uid text,
  created_at timestamptz not null default now(),
  consumed_at timestamptz,
  expires_at timestamptz,
  primary key (model, id_hash)
);
create index oidc_artifact_grant on oidc_artifact (grant_id) where (grant_id is not null);
create index oidc_artifact_uid on oidc_artifact (uid) where (uid is not null);
create index oidc_artifact_customer on oidc_artifact (customer_id) where (customer_id is not null);
create index oidc_artifact_expiry on oidc_artifact (expires_at);

create table oidc_login (
  uid text not null,
  client_id text not null references oidc_client (id) on delete cascade,
  sid text not null,
  grant_id text not null,
  subject uuid not null,
  outlives_session boolean not null,
  customer_id bigint not null,
  session_id bigint not null,
  primary key (uid, client_id),
  foreign key (customer_id, session_id) references session (customer_id, id) on delete cascade
);
create index oidc_login_session on oidc_login (customer_id, session_id);

create table link (
  customer_id bigint not null references customer (id) on delete cascade,
  id bigint generated always as identity,
  purpose text not null check (purpose in ('reset', 'verify', 'autologin', 'guest', 'email_change', 'email_stop')),
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (customer_id, id)
);
create index link_expiry on link (expires_at);

create table link_token (
  token_hash bytea primary key,
  customer_id bigint not null,
  link_id bigint not null,
  unique (customer_id, link_id),
  foreign key (customer_id, link_id) references link (customer_id, id) on delete cascade
);

create table postal_address (
  customer_id bigint not null references customer (id) on delete cascade,
  id bigint generated always as identity,
  address1 text not null,
  address2 text,
  postcode text not null,
  city text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  is_invoice boolean not null default true,
  is_delivery boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (customer_id, id)
);

create table social_login (
  customer_id bigint not null references customer (id) on delete cascade,
  provider text not null check (provider in ('google', 'facebook')),
  created_at timestamptz not null default now(),
  primary key (customer_id, provider)
);

create table social_account (
  provider text not null,
  provider_customer_id text not null,
  customer_id bigint not null,
  primary key (provider, provider_customer_id),
  unique (customer_id, provider),
  foreign key (customer_id, provider) references social_login (customer_id, provider) on delete cascade
);

create table consent (
  customer_id bigint not null references customer (id) on delete cascade,
  id bigint generated always as identity,
  subject text not null check (subject in ('newsletter', 'sms', 'loyalty')),
  given boolean not null,
  text_version text not null,
  source text not null,
  at timestamptz not null default now(),
  primary key (customer_id, id)
);

create table social_nonce (
  nonce_hash bytea primary key,
  expires_at timestamptz not null
);
create index social_nonce_expiry on social_nonce (expires_at);

create table email_hold (
  email text primary key,
  customer_id bigint not null references customer (id) on delete cascade,
  until timestamptz not null
);
create index email_hold_customer on email_hold (customer_id);
create index email_hold_expiry on email_hold (until);

create table passkey (
  customer_id bigint not null references customer (id) on delete cascade,
  id bigint generated always as identity,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (customer_id, id)
);

create table passkey_credential (
  credential_id bytea primary key,
  customer_id bigint not null,
  passkey_id bigint not null,
  unique (customer_id, passkey_id),
  foreign key (customer_id, passkey_id) references passkey (customer_id, id) on delete cascade
);

create table sign_in_code (
  email_hash bytea primary key,
  browser_hash bytea not null,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);
create index sign_in_code_expiry on sign_in_code (expires_at);

create table customer_merge (
  customer_id bigint primary key,
  into_id bigint not null,
  at timestamptz not null
);
create index customer_merge_into on customer_merge (into_id);

create table former_subject (
  subject uuid primary key,
  customer_id bigint not null references customer (id) on delete cascade
);
create index former_subject_customer on former_subject (customer_id);

create table previous_details (
  customer_id bigint primary key references customer (id) on delete cascade,
  firstname text not null,
  lastname text not null,
  civility text,
  birthday date,
  mobile_phone text,
  newsletter boolean not null,
  newsletter_sms boolean not null,
  stored_at timestamptz not null default now()
);


-- The programme
create table loyalty_programme (
  id integer primary key,
  welcome_points integer not null check (welcome_points >= 0),
  points_valid_months integer not null default 24 check (points_valid_months > 0),
  tier_months integer not null default 12 check (tier_months > 0),
  points_per_euro integer not null default 1 check (points_per_euro > 0),
  contact_email text,
  contact_phone text,
  contact_hours three_languages,
  version_of integer references loyalty_programme (id),
  version integer not null default 1,
  label text,
  starts_at timestamptz not null default '2000-01-01 00:00:00+00'::timestamp with time zone,
  published_at timestamptz,
  published_by integer references staff (id),
  withdrawn_at timestamptz,
  pending_days integer not null default 0 check ((pending_days >= 0) and (pending_days <= 60)),
  review_amount_cents integer not null default 300000 check (review_amount_cents > 0),
  review_per_day integer not null default 5 check (review_per_day > 0),
  adjust_customer_points integer not null default 250 check (adjust_customer_points > 0),
  adjust_customer_cents integer not null default 1000 check (adjust_customer_cents > 0),
  adjust_staff_points integer not null default 1000 check (adjust_staff_points > 0),
  earns_on jsonb,
  line_codes jsonb not null default '[]',
  referral jsonb not null default '{"points": 0, "days": 0, "perYear": 0}',
  constraint loyalty_programme_referral check ((referral ->> 'points')::integer >= 0 and (referral ->> 'days')::integer >= 0 and (referral ->> 'perYear')::integer >= 0)
);

create table loyalty_tier (
  programme_id integer not null references loyalty_programme (id),
  id integer not null,
  rank integer not null,
  points_required integer not null check (points_required >= 0),
  name three_languages not null,
  benefits three_languages not null,
  multiplier_hundredths integer not null default 100 check (multiplier_hundredths > 0),
  primary key (programme_id, id),
  unique (programme_id, rank),
  unique (programme_id, points_required)
);

create table loyalty_event (
  programme_id integer not null references loyalty_programme (id),
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
  programme_id integer not null references loyalty_programme (id),
  id integer not null,
  points integer not null check (points > 0),
  amount_cents integer not null check (amount_cents > 0),
  valid_days integer not null check (valid_days > 0),
  name three_languages not null,
  description three_languages not null,
  minimum_basket_cents integer check (minimum_basket_cents > 0),
  usable_on jsonb,
  primary key (programme_id, id)
);

create table segment (
  id integer generated always as identity primary key,
  name text not null,
  version integer not null default 1,
  sends boolean not null default false,
  archived_at timestamptz
);
create unique index segment_name on segment (lower(name)) where (archived_at is null);

create table segment_version (
  segment_id integer not null references segment (id),
  version integer not null,
  definition jsonb not null,
  saved_by integer not null references staff (id),
  saved_at timestamptz not null,
  primary key (segment_id, version)
);

create table segment_statement (
  segment_id integer not null,
  version integer not null,
  statement text not null,
  parameters text[] not null,
  primary key (segment_id, version),
  foreign key (segment_id, version) references segment_version (segment_id, version)
);

create table campaign (
  id integer generated always as identity primary key,
  name three_languages not null,
  text three_languages not null,
  multiplier_hundredths integer check ((multiplier_hundredths >= 101) and (multiplier_hundredths <= 1000)),
  extra_points integer check ((extra_points >= 1) and (extra_points <= 10000)),
  voucher_cents integer check (voucher_cents > 0),
  voucher_days integer check (voucher_days between 1 and 730),
  voucher_limit integer check (voucher_limit > 0),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  tier_id integer,
  shop_id integer references shop (id),
  idle_months integer check ((idle_months >= 1) and (idle_months <= 60)),
  created_at timestamptz not null,
  created_by integer not null references staff (id),
  ended_at timestamptz,
  ended_by integer references staff (id),
  approved_at timestamptz,
  approved_by integer references staff (id),
  minimum_cents integer,
  member_limit_points integer check (member_limit_points > 0),
  line_rule jsonb,
  segment_id integer,
  segment_version integer,
  weekdays integer[] check (weekdays <@ '{1,2,3,4,5,6,7}' and cardinality(weekdays) between 1 and 6),
  from_hour integer check (from_hour between 0 and 23),
  to_hour integer check (to_hour between 1 and 24),
  birthday_days integer check (birthday_days between 0 and 31),
  control_percent integer not null default 0 check (control_percent between 0 and 50),
  control_note text,
  salt uuid not null default gen_random_uuid(),
  metric text not null default 'revenue' check (metric in ('purchases', 'revenue', 'returning')),
  measured_until timestamptz,
  written_in bigint not null default pg_current_xact_id()::text::bigint,
  constraint campaign_check check (num_nonnulls(multiplier_hundredths, extra_points, voucher_cents) = 1),
  constraint campaign_voucher check ((voucher_cents is null) = (voucher_days is null) and (voucher_limit is null or voucher_cents is not null)),
  constraint campaign_hours check ((from_hour < to_hour) is not false and (from_hour is null) = (to_hour is null)),
  foreign key (segment_id, segment_version) references segment_version (segment_id, version),
  constraint campaign_measured check (measured_until >= ends_at),
  constraint campaign_check1 check (starts_at >= created_at),
  constraint campaign_check2 check (ends_at > starts_at),
  constraint campaign_approved check ((approved_at >= created_at) and (approved_by <> created_by)),
  constraint campaign_minimum check ((minimum_cents >= 1) and (minimum_cents <= 999999999))
);
create index campaign_written on campaign using brin (written_in) with (pages_per_range='16', autosummarize='on');

create table campaign_limit (
  campaign_id integer primary key references campaign (id),
  limit_points integer not null check (limit_points > 0),
  given_points integer not null default 0,
  constraint campaign_limit_holds check (given_points between 0 and limit_points)
);

create table campaign_hold_out (
  id integer generated always as identity primary key,
  percent integer not null check (percent between 1 and 5),
  salt uuid not null default gen_random_uuid(),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  created_by integer not null references staff (id),
  ended_at timestamptz,
  result jsonb,
  measured_at timestamptz
);

create table campaign_price (
  campaign_id integer primary key references campaign (id),
  price jsonb not null
);

create table campaign_member (
  customer_id bigint not null,
  campaign_id integer not null references campaign (id),
  control boolean not null,
  written_in bigint not null default pg_current_xact_id()::text::bigint,
  primary key (customer_id, campaign_id)
);
create index campaign_member_written on campaign_member using brin (written_in) with (pages_per_range='16', autosummarize='on');
create index campaign_member_of on campaign_member (campaign_id, customer_id);

create table campaign_result (
  campaign_id integer primary key references campaign (id),
  result jsonb not null,
  measured_at timestamptz not null
);

create table segment_member (
  customer_id bigint not null,
  segment_id integer not null references segment (id),
  joined_at timestamptz not null,
  primary key (customer_id, segment_id)
);
create index segment_member_of on segment_member (segment_id, customer_id);

create table segment_export (
  id integer generated always as identity primary key,
  segment_id integer not null references segment (id),
  version integer not null,
  channel text not null check (channel in ('email', 'sms')),
  columns jsonb not null,
  exported_by integer not null references staff (id),
  exported_at timestamptz not null,
  written_in bigint not null default pg_current_xact_id()::text::bigint
);

create table segment_export_member (
  customer_id bigint not null,
  export_id integer not null references segment_export (id),
  primary key (customer_id, export_id)
);
create index segment_export_member_of on segment_export_member (export_id, customer_id);

create table loyalty_draft (
  id integer generated always as identity primary key,
  programme_id integer not null references loyalty_programme (id),
  revision integer not null default 1,
  label text not null,
  rules jsonb not null,
  based_on integer not null,
  state text not null check (state in ('open', 'asked', 'published', 'discarded')),
  saved_by integer references staff (id),
  saved_at timestamptz not null,
  starts_at timestamptz,
  asked_by integer references staff (id),
  asked_at timestamptz,
  decided_by integer references staff (id),
  decided_at timestamptz,
  version integer,
  constraint loyalty_draft_check check ((decided_by is null) or (state <> 'published') or (decided_by <> asked_by))
);
create unique index loyalty_draft_open on loyalty_draft (programme_id) where (state in ('open', 'asked'));

create table loyalty_simulation (
  id integer generated always as identity primary key,
  draft_id integer not null references loyalty_draft (id),
  revision integer not null,
  state text not null check (state in ('running', 'done', 'cancelled', 'failed')),
  started_by integer references staff (id),
  started_at timestamptz not null,
  finished_at timestamptz,
  customers_done integer not null default 0,
  customers_total integer not null default 0,
  result jsonb
);
create index loyalty_simulation_draft on loyalty_simulation (draft_id, id desc);


-- Points, statuses and vouchers
create table loyalty_account (
  customer_id bigint primary key,
  programme_id integer not null references loyalty_programme (id),
  state text not null check (state in ('active', 'left', 'erased')),
  member_since timestamptz not null,
  left_at timestamptz,
  card_number text check (card_number ~ '^29\d{11}$'),
  balance integer not null default 0 check (balance >= 0),
  erased_at timestamptz,
  referral_code text default substr(md5(gen_random_uuid()::text), 1, 16),
  written_in bigint not null default pg_current_xact_id()::text::bigint,
  constraint loyalty_account_check check ((card_number is null) = (state = 'erased'))
);
create unique index loyalty_account_referral on loyalty_account (referral_code);
create index loyalty_account_written on loyalty_account using brin (written_in) with (pages_per_range='16', autosummarize='on');

create table loyalty_card (
  number text primary key,
  customer_id bigint not null,
  replaced_at timestamptz
);

create table loyalty_welcome (
  person bytea primary key,
  given_at timestamptz not null
);

create table loyalty_referral (
  customer_id bigint not null,
  id bigint generated always as identity,
  member_id bigint not null,
  person bytea not null unique,
  joined_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'refused', 'credited', 'revoked', 'taken_back')),
  credited_at timestamptz,
  points integer check (points > 0),
  shop_id integer,
  receipt_number text,
  check_since timestamptz,
  primary key (customer_id, id),
  constraint loyalty_referral_credited check (
    num_nonnulls(credited_at, points, shop_id, receipt_number) = case when state in ('waiting', 'refused') then 0 else 4 end)
);
create index loyalty_referral_waiting on loyalty_referral (id) where (state = 'waiting');
create index loyalty_referral_to_check on loyalty_referral (id) where (state = 'revoked' or check_since is not null);
create index loyalty_referral_receipt on loyalty_referral (shop_id, receipt_number) where (state = 'credited');
create index loyalty_referral_member on loyalty_referral (member_id, credited_at);

create table loyalty_person_key (
  single boolean primary key default true check (single),
  inner_key bytea not null,
  outer_key bytea not null
);

create table loyalty_entry (
  customer_id bigint not null references loyalty_account (customer_id),
  id bigint generated always as identity,
  at timestamptz not null,
  kind text not null check (kind in ('welcome', 'event', 'grant', 'purchase', 'reward', 'expiry', 'return', 'settle', 'reissue', 'gift', 'adjust', 'cancel', 'undo', 'import', 'import_voucher', 'referral')),
  points integer not null,
  balance integer not null check (balance >= 0),
  cause text not null,
  label jsonb not null default '{}'::jsonb,
  expires_at timestamptz,
  copied boolean not null default false,
  recorded_at timestamptz not null,
  written_in bigint not null default pg_current_xact_id()::text::bigint,
  primary key (customer_id, id),
  unique (customer_id, cause),
  constraint loyalty_entry_check check (case when (kind in ('welcome', 'event', 'grant', 'purchase', 'cancel', 'undo', 'referral')) then (points > 0) when (kind in ('reward', 'expiry', 'return', 'settle')) then (points < 0) when (kind in ('reissue', 'gift', 'import_voucher')) then (points = 0) else (points <> 0) end),
  constraint loyalty_entry_check1 check ((expires_at is null) = ((points <= 0) or (kind in ('cancel', 'undo'))))
);
create index loyalty_entry_written on loyalty_entry using brin (written_in) with (pages_per_range='16', autosummarize='on');

create index loyalty_entry_recorded on loyalty_entry using brin (recorded_at) with (pages_per_range='16', autosummarize='on');

create table loyalty_lot (
  customer_id bigint not null,
  entry_id bigint not null,
  expires_at timestamptz not null,
  remaining integer not null check (remaining >= 0),
  tier_id integer,
  primary key (customer_id, entry_id),
  foreign key (customer_id, entry_id) references loyalty_entry (customer_id, id)
);
create index loyalty_lot_due on loyalty_lot (expires_at, customer_id) where (remaining > 0);
create index loyalty_lot_left on loyalty_lot (customer_id, expires_at, entry_id) include (remaining) where (remaining > 0);

create table loyalty_earned_day (
  customer_id bigint not null,
  day date not null,
  points integer not null check (points > 0),
  through integer not null,
  primary key (customer_id, day) include (through)
);
create index loyalty_earned_day_until on loyalty_earned_day (customer_id, through) include (day);
create index loyalty_earned_day_day on loyalty_earned_day (day, customer_id);

create table loyalty_voucher (
  customer_id bigint not null,
  id bigint not null,
  programme_id integer,
  reward_id integer,
  code text not null,
  points integer not null check (points >= 0),
  amount_cents integer not null check (amount_cents > 0),
  minimum_cents integer check (minimum_cents >= 0),
  campaign_id integer references campaign (id),
  obtained_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  used_recorded_at timestamptz,
  written_in bigint not null default pg_current_xact_id()::text::bigint,
  constraint loyalty_voucher_check check (expires_at > obtained_at),
  constraint loyalty_voucher_check1 check ((used_at >= obtained_at) and (used_at <= expires_at)),
  primary key (customer_id, id),
  foreign key (customer_id, id) references loyalty_entry (customer_id, id),
  foreign key (programme_id, reward_id) references loyalty_reward (programme_id, id)
);
create index loyalty_voucher_written on loyalty_voucher using brin (written_in) with (pages_per_range='16', autosummarize='on');
create index loyalty_voucher_end on loyalty_voucher (expires_at, customer_id) where (used_at is null);
create index loyalty_voucher_of_campaign on loyalty_voucher (campaign_id) where (campaign_id is not null);

create table loyalty_voucher_code (
  code text primary key,
  customer_id bigint not null
);

create table loyalty_sms_bonus (
  phone bytea primary key,
  given_at timestamptz not null
);

create table loyalty_voucher_hold (
  code text primary key,
  shop_id integer not null,
  number text,
  reference text,
  held_at timestamptz not null,
  until timestamptz not null,
  constraint loyalty_voucher_hold_check check (num_nonnulls(number, reference) = 1)
);

create table loyalty_till_code (
  customer_id bigint primary key references customer (id) on delete cascade,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);


-- Sales
create table shop_receipt (
  shop_id integer not null references shop (id),
  number text not null,
  content_hash bytea not null,
  arrived_at timestamptz not null,
  primary key (shop_id, number)
);

create table shop_sale (
  shop_id integer not null,
  number text not null,
  key_prefix text not null,
  sold_at timestamptz not null,
  pending_from timestamptz,
  in_future boolean not null default false,
  customer_id bigint,
  unknown_customer boolean not null default false,
  whole boolean not null,
  lines jsonb not null,
  vouchers jsonb not null,
  points_per_euro integer,
  multiplier_hundredths integer,
  tier_id integer,
  earned integer not null,
  available integer,
  debt integer,
  waiting boolean not null default false,
  entry_id bigint,
  claim_code text unique,
  claim_failed_attempts integer not null default 0,
  claimed_at timestamptz,
  repeats boolean not null default false,
  staff_id integer,
  campaign_id integer,
  campaign_multiplier_hundredths integer,
  campaign_extra_points integer,
  campaign_points integer not null default 0,
  campaign_minimum_cents integer,
  campaign_cap_points integer,
  campaign_lines text[],
  pending integer,
  arrives_at timestamptz,
  next_pending jsonb,
  waiting_points integer not null default 0,
  waiting_reason text check (waiting_reason in ('large_sale', 'many_sales', 'staff')),
  lost_vouchers jsonb not null default '[]'::jsonb,
  amends text,
  former_source text,
  written_in bigint not null default pg_current_xact_id()::text::bigint,
  primary key (shop_id, number),
  foreign key (shop_id, number) references shop_receipt (shop_id, number)
);
create index shop_sale_written on shop_sale using brin (written_in) with (pages_per_range='16', autosummarize='on');
create index shop_sale_customer on shop_sale (customer_id, sold_at) where (customer_id is not null);
create index shop_sale_day on shop_sale (shop_id, sold_at);
create index shop_sale_waiting on shop_sale (sold_at) where waiting;
create index shop_sale_amends on shop_sale (shop_id, amends) where (amends is not null);
create index shop_sale_in_future on shop_sale (sold_at) where in_future;


-- Points, statuses and vouchers
create table loyalty_voucher_use (
  code text primary key,
  customer_id bigint not null,
  used_at timestamptz not null,
  shop_id integer not null,
  receipt_number text not null,
  taken_cents integer not null check (taken_cents >= 0),
  recorded_at timestamptz not null,
  written_in bigint not null default pg_current_xact_id()::text::bigint,
  foreign key (shop_id, receipt_number) references shop_sale (shop_id, number)
);
create index loyalty_voucher_use_written on loyalty_voucher_use using brin (written_in) with (pages_per_range='16', autosummarize='on');
create index loyalty_voucher_use_customer on loyalty_voucher_use (customer_id);

create table loyalty_claw_back (
  customer_id bigint not null,
  cause text not null,
  purchase_id bigint,
  at timestamptz not null,
  points integer not null check (points > 0),
  taken integer not null check (taken >= 0),
  lapsed integer not null check (lapsed >= 0),
  owed integer not null check (owed >= 0),
  purchase text,
  counted_on date,
  pending integer not null default 0 check (pending >= 0),
  exchanged integer not null default 0 check (exchanged >= 0),
  recorded_at timestamptz not null,
  copied boolean not null default false,
  primary key (customer_id, cause),
  foreign key (customer_id, purchase_id) references loyalty_entry (customer_id, id),
  constraint loyalty_claw_back_check check (points = (((pending + taken) + lapsed) + owed))
);

create table loyalty_debt (
  customer_id bigint not null,
  id bigint generated always as identity,
  cause text not null,
  owed_at timestamptz not null,
  points integer not null check (points > 0),
  remaining integer not null check (remaining >= 0),
  waived integer not null default 0 check (waived >= 0),
  constraint loyalty_debt_check check ((remaining + waived) <= points),
  primary key (customer_id, id),
  unique (customer_id, cause)
);
create index loyalty_debt_open on loyalty_debt (owed_at) where (remaining > 0);

create table loyalty_warning (
  customer_id bigint not null references customer (id) on delete cascade,
  subject text not null check (subject in ('points', 'kept_points', 'voucher', 'status')),
  days integer not null check (days > 0),
  until timestamptz not null,
  primary key (customer_id, subject, days)
);

create table loyalty_activity (
  customer_id bigint primary key,
  last_day date not null,
  until date not null
);
create index loyalty_activity_until on loyalty_activity (until);

create table loyalty_welcome_network (
  customer_id bigint primary key references customer (id) on delete cascade,
  network bytea not null,
  given_at timestamptz not null
);
create index loyalty_welcome_network_given on loyalty_welcome_network (network, given_at);

create table loyalty_pending (
  customer_id bigint not null,
  cause text not null,
  sold_at timestamptz not null,
  arrives_at timestamptz not null,
  points integer not null check (points > 0),
  remaining integer not null,
  counts integer not null,
  label jsonb not null default '{}'::jsonb,
  arrived_at timestamptz,
  entry_id bigint,
  expires_at timestamptz,
  recorded_at timestamptz not null,
  booked integer not null,
  forfeited boolean not null default false,
  constraint loyalty_pending_check check ((remaining >= 0) and (remaining <= points)),
  constraint loyalty_pending_check1 check ((counts >= 0) and (counts <= points)),
  primary key (customer_id, cause)
);
create index loyalty_pending_open on loyalty_pending (customer_id, arrives_at) include (remaining, counts) where (arrived_at is null);
create index loyalty_pending_due on loyalty_pending (arrives_at) where (arrived_at is null);

-- A status that another club promised until a day.
create table loyalty_status_floor (
  customer_id bigint primary key,
  rank integer not null,
  until date not null
);

-- Points earned in another club, by day: they count for the status.
create table loyalty_import_day (
  customer_id bigint not null,
  day date not null,
  points integer not null check (points > 0),
  primary key (customer_id, day)
);

-- Entries of another club's history, as they were; they move no points.
create table loyalty_import_history (
  customer_id bigint not null,
  source text not null,
  entry_id text not null,
  at timestamptz not null,
  points integer not null,
  text text not null,
  primary key (customer_id, source, entry_id)
);

create table loyalty_lot_use (
  customer_id bigint not null,
  entry_id bigint not null,
  lot_id bigint not null,
  points integer not null check (points > 0),
  primary key (customer_id, entry_id, lot_id)
);
create index loyalty_lot_use_lot on loyalty_lot_use (customer_id, lot_id);

create table loyalty_voucher_cancel (
  code text primary key,
  customer_id bigint not null,
  marked_at timestamptz not null,
  cancelled_at timestamptz,
  entry_id bigint,
  written_in bigint not null default pg_current_xact_id()::text::bigint
);
create index loyalty_voucher_cancel_written on loyalty_voucher_cancel using brin (written_in) with (pages_per_range='16', autosummarize='on');
create index loyalty_voucher_cancel_customer on loyalty_voucher_cancel (customer_id);
create index loyalty_voucher_cancel_marked on loyalty_voucher_cancel (customer_id) where (cancelled_at is null);


-- Sales
create table shop_key (
  prefix text primary key,
  shop_id integer not null references shop (id),
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  used_at timestamptz,
  ends_at timestamptz,
  revoked_at timestamptz,
  kind text not null default 'key' check (kind in ('key', 'till')),
  api smallint not null default 1 check (api in (1, 2))
);
create index shop_key_shop on shop_key (shop_id);

create unlogged table shop_key_use (
  prefix text primary key,
  minute timestamptz not null,
  calls integer not null,
  failed_attempts integer not null,
  by_contact integer not null
);

create table shop_return (
  shop_id integer not null,
  number text not null,
  kind text not null check (kind in ('return', 'exchange', 'void', 'amend')),
  key_prefix text not null,
  returned_at timestamptz not null,
  sale_shop_id integer not null references shop (id),
  sale_number text not null,
  state text not null check (state in ('applied', 'waiting', 'conflict', 'undone')),
  asked jsonb not null,
  refunds jsonb not null default '[]'::jsonb,
  reissued jsonb not null default '[]'::jsonb,
  taken integer not null default 0,
  available integer,
  debt integer,
  staff_id integer,
  campaign_id integer,
  campaign_points integer not null default 0,
  waited boolean not null default false,
  pending integer,
  next_pending jsonb,
  cancelled jsonb not null default '[]'::jsonb,
  undone_at timestamptz,
  undone_by integer,
  written_in bigint not null default pg_current_xact_id()::text::bigint,
  primary key (shop_id, number, kind),
  foreign key (shop_id, number) references shop_receipt (shop_id, number)
);
create index shop_return_written on shop_return using brin (written_in) with (pages_per_range='16', autosummarize='on');
create index shop_return_sale on shop_return (sale_shop_id, sale_number);
create index shop_return_day on shop_return (shop_id, returned_at);
create index shop_return_open on shop_return (state) where (state <> 'applied');

create table shop_amendment (
  shop_id integer not null,
  number text not null,
  amend_number integer not null,
  amended_at timestamptz not null,
  answer jsonb not null,
  primary key (shop_id, number, amend_number),
  foreign key (shop_id, number) references shop_receipt (shop_id, number)
);

create table shop_look_up (
  customer_id bigint not null,
  id bigint generated always as identity,
  at timestamptz not null,
  key_prefix text not null,
  shop_id integer not null,
  found_by text not null check (found_by in ('card', 'voucher', 'email', 'phone', 'name', 'sub')),
  entry_mode text check (entry_mode in ('scanned', 'typed')),
  staff_id integer,
  primary key (customer_id, id)
);
create index shop_look_up_by_contact on shop_look_up (at) where (found_by in ('email', 'phone', 'name'));
create index shop_look_up_by_day on shop_look_up using brin (at) WITH (pages_per_range='16', autosummarize='on');

create table shop_day_close (
  shop_id integer not null references shop (id),
  day date not null,
  closed_at timestamptz not null,
  totals jsonb not null,
  primary key (shop_id, day)
);

create table till_day_count (
  shop_id integer not null references shop (id),
  key_prefix text not null,
  day date not null,
  counted_at timestamptz not null,
  staff_id integer not null references staff (id),
  receipts integer not null check (receipts >= 0),
  cents integer not null,
  expected_receipts integer not null check (expected_receipts >= 0),
  expected_cents integer not null,
  primary key (shop_id, day, key_prefix)
);

create table shop_registration (
  customer_id bigint primary key references customer (id) on delete cascade,
  shop_id integer not null references shop (id),
  shop_name text not null,
  registered_at timestamptz not null,
  pass_token text not null unique
);

create table shop_decision (
  shop_id integer not null,
  number text not null,
  subject text not null check (subject in ('return', 'exchange', 'points', 'clock')),
  outcome text not null check (outcome in ('applied', 'attached', 'dismissed', 'released', 'refused', 'confirmed', 'corrected')),
  decided_at timestamptz not null,
  staff_id integer not null references staff (id),
  primary key (shop_id, number, subject),
  foreign key (shop_id, number) references shop_receipt (shop_id, number)
);


-- Tills
create table till_pairing (
  code_hash bytea primary key,
  shop_id integer not null references shop (id),
  name text,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  used_at timestamptz
);

create table till_session (
  key_prefix text primary key references shop_key (prefix),
  token_hash bytea not null,
  staff_id integer not null references staff (id),
  opened_at timestamptz not null,
  seen_at timestamptz not null
);
create index till_session_staff on till_session (staff_id);

create table till_pin_attempt (
  key_prefix text not null references shop_key (prefix),
  staff_id integer not null references staff (id),
  failed_attempts integer not null,
  wrong_attempts integer not null default 0,
  primary key (key_prefix, staff_id)
);


-- Back office
create table office_request (
  customer_id bigint not null,
  id bigint generated always as identity unique,
  kind text not null check (kind in ('points', 'voucher', 'erase', 'merge')),
  state text not null check (state in ('done', 'waiting', 'approved', 'declined', 'withdrawn')),
  points integer not null default 0,
  cents integer not null default 0,
  reward_id integer,
  customer_text text,
  reason text not null,
  note text,
  asked_by integer not null references staff (id),
  asked_at timestamptz not null,
  decided_by integer references staff (id),
  decided_at timestamptz,
  other_id bigint,
  choices jsonb,
  constraint office_request_check check ((state in ('done', 'waiting', 'withdrawn')) = (decided_by is null)),
  constraint office_request_check1 check (decided_by <> asked_by),
  primary key (customer_id, id),
  constraint office_request_other check (num_nonnulls(other_id) = ((kind = 'merge'))::integer)
);
create index office_request_waiting on office_request (id) where (state = 'waiting');
create index office_request_day on office_request (asked_by, asked_at);
create index office_request_decided on office_request (decided_at desc, id desc) where (state in ('approved', 'declined', 'withdrawn'));


-- Wallet passes
create table google_pass (
  customer_id bigint primary key,
  object_id uuid not null default gen_random_uuid(),
  issued_at timestamptz not null,
  told text,
  noticed_at timestamptz[] not null default '{}'::timestamp with time zone[],
  review_on date,
  leased_until timestamptz,
  noticed text
);
create index google_pass_review on google_pass (review_on) where (review_on is not null);

create table sandbox_google_pass (
  id text primary key,
  class jsonb not null,
  object jsonb not null,
  notices integer not null default 0
);

create table apple_pass (
  customer_id bigint primary key,
  serial uuid not null default gen_random_uuid(),
  issued_at timestamptz not null,
  shown text,
  changed_at timestamptz not null,
  told text,
  review_on date,
  token_number integer not null default 0
);
create index apple_pass_review on apple_pass (review_on) where (review_on is not null);

create table apple_serial (
  serial uuid primary key,
  customer_id bigint not null
);

create table apple_device (
  customer_id bigint not null,
  device_id text not null,
  push_token text not null,
  registered_at timestamptz not null,
  primary key (customer_id, device_id)
);
create index apple_device_passes on apple_device (device_id);


-- Webhooks
create table webhook_endpoint (
  id integer generated always as identity primary key,
  url text not null,
  secret bytea not null,
  previous_secret bytea,
  previous_ends_at timestamptz,
  owner_email text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  disabled_because text check (disabled_because in ('owner', 'gone')),
  busy_until timestamptz,
  events text[],
  paused_at timestamptz,
  constraint webhook_endpoint_check check ((previous_secret is null) = (previous_ends_at is null)),
  constraint webhook_endpoint_check1 check ((disabled_at is null) = (disabled_because is null))
);

create table webhook_event (
  id bigint generated always as identity primary key,
  type text not null,
  at timestamptz not null default now(),
  customer_id bigint,
  shop_id integer,
  sequence bigint,
  payload jsonb not null,
  xid xid8 not null default pg_current_xact_id()
);
create index webhook_event_order on webhook_event (xid, id);
create index webhook_event_shop on webhook_event (shop_id, xid, id) where (shop_id is not null);
create index webhook_event_expired on webhook_event (customer_id) where (type = 'voucher.expired');

create table webhook_customer (
  customer_id bigint primary key,
  sequence bigint not null default 0,
  tier_id integer
);

create table webhook_delivery (
  id bigint generated always as identity primary key,
  event_id bigint not null references webhook_event (id) on delete cascade,
  endpoint_id integer not null references webhook_endpoint (id),
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead', 'stopped')),
  attempts integer not null default 0,
  next_at timestamptz default now(),
  unique (event_id, endpoint_id)
);
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, next_at) where (state = 'waiting');
create index webhook_delivery_dead on webhook_delivery (endpoint_id) where (state = 'dead');
create index webhook_delivery_failed on webhook_delivery (id) where ((state = 'dead') or ((state = 'waiting') and (attempts > 0)));
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, id);

create table webhook_attempt (
  delivery_id bigint not null references webhook_delivery (id) on delete cascade,
  id bigint generated always as identity,
  at timestamptz not null,
  status integer,
  error text,
  milliseconds integer not null,
  answer text,
  primary key (delivery_id, id)
);

create table webhook_since (
  single boolean primary key default true check (single),
  at timestamptz not null
);


-- Moving in from another club
create table move_run (
  id integer generated always as identity primary key,
  step text not null check (step in ('check', 'rehearse', 'commit')),
  state text not null check (state in ('queued', 'running', 'done', 'failed')),
  package text,
  accept_rejected integer not null default 0,
  source text not null,
  package_hash text not null,
  taken_at timestamptz not null,
  release text not null,
  started_at timestamptz not null,
  started_by integer references staff (id),
  finished_at timestamptz,
  progress jsonb not null default '{}',
  result jsonb,
  failure text
);
create index move_run_package on move_run (package_hash, id);

create table move_rejected (
  run_id integer not null references move_run (id) on delete cascade,
  id bigint generated always as identity,
  file text not null,
  line integer not null,
  field text,
  value text,
  reason text not null,
  whole_row boolean not null,
  source_id text,
  primary key (run_id, id)
);
create index move_rejected_source on move_rejected (source_id) where (source_id is not null);

create table move_member (
  customer_id bigint not null,
  source text collate "C" not null,
  source_id text collate "C" not null,
  linked boolean not null,
  content text not null,
  taken_at timestamptz not null,
  moved_at timestamptz not null,
  seen_at timestamptz,
  primary key (customer_id, source, source_id),
  unique (source, source_id)
);

create table move_hash (
  source text not null,
  source_id text not null,
  given text not null,
  stored text not null,
  wrapped_at timestamptz not null default now(),
  primary key (source, source_id)
);

create table move_case (
  customer_id bigint not null,
  id bigint generated always as identity unique,
  at timestamptz not null,
  text text not null,
  closed_at timestamptz,
  closed_by integer references staff (id),
  primary key (customer_id, id)
);
create unique index move_case_open on move_case (customer_id) where (closed_at is null);


-- Metrics
create table metric_delta (
  day date not null,
  metric text not null,
  part integer not null,
  count integer not null,
  amount bigint not null
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

create table metric_day (
  metric text not null,
  day date not null,
  part integer not null,
  count bigint not null,
  amount bigint not null,
  primary key (metric, day, part)
);

-- The book of a month: a draft until it is closed.
create table month_end (
  month date primary key check (extract(day from month) = 1),
  ends_at timestamptz not null,
  drafted_at timestamptz not null,
  book jsonb not null,
  chosen_percent integer check ((chosen_percent >= 0) and (chosen_percent <= 100)),
  locked_at timestamptz,
  closed_at timestamptz,
  closed_by integer references staff (id),
  constraint month_end_closed check ((closed_at is null) = (closed_by is null) and (closed_at is null or locked_at is not null))
);


-- The rest
create table sandbox_key (
  name text primary key,
  private_jwk jsonb not null
);

create table kept_key (
  name text primary key,
  value jsonb not null
);

create table invariant_check (
  number integer primary key,
  violations bigint not null,
  checked_at timestamptz not null,
  seconds double precision not null
);



-- The keys of loyalty_person, random for each installation.
insert into loyalty_person_key (inner_key, outer_key)
select decode(string_agg(replace(gen_random_uuid()::text, '-', ''), '') filter (where n <= 4), 'hex'),
       decode(string_agg(replace(gen_random_uuid()::text, '-', ''), '') filter (where n > 4), 'hex')
from generate_series(1, 8) n;

insert into webhook_since (at) values ('-infinity');

-- functions

create index customer_name_first on customer (name_folded(((firstname || ' ') || lastname)) collate "C", id);
create index customer_name_parts on customer using gin (name_parts(name_folded(((firstname || ' ') || lastname))));
create index customer_name_spellings on customer using gin (name_spellings(name_folded(((firstname || ' ') || lastname))));
create index customer_email_parts on customer using gin (email gin_trgm_ops);
create index customer_phone_ending on customer (right(mobile_phone, 4)) where mobile_phone is not null;
create index loyalty_account_card_ending on loyalty_account (right(card_number, 4)) where card_number is not null;
create index customer_name_last on customer (name_folded(((lastname || ' ') || firstname)) collate "C", id);

create view metric_all as
select metric, day, part, count::bigint as count, amount from metric_delta
union all
select metric, day, part, count, amount from metric_day;

-- Vouchers of campaigns that were used, less those that a voucher has replaced since.
create view campaign_voucher_use as
select v.campaign_id, club_day(u.used_at) as day, 1 as count, u.taken_cents as cents
from loyalty_voucher v join loyalty_voucher_use u on u.code = v.code where v.campaign_id is not null
union all
select v.campaign_id, club_day(v.obtained_at), -1, -u.taken_cents
from loyalty_voucher v join loyalty_entry e on e.customer_id = v.customer_id and e.id = v.id
join loyalty_voucher_use u on u.code = substr(e.cause, length('reissue:') + 1)
where v.campaign_id is not null and e.kind = 'reissue' and not e.copied;

create view metric_ledger as
select club_day(at) as day, metric_of_entry(kind, points, cause) as metric, metric_shop(kind, cause) as part,
  sum(case when metric_undone(kind, cause) then -1 else 1 end) as count,
  sum(case when metric_undone(kind, cause) then -abs(points) else abs(points) end)::bigint as amount
from loyalty_entry where not copied and points <> 0 group by 1, 2, 3
union all
select date_trunc('month', club_day(expires_at)::timestamp)::date, 'outstanding', coalesce(tier_id, 0), 0,
  sum(remaining)::bigint
from loyalty_lot where remaining > 0 group by 1, 3
union all
select club_day(arrives_at), 'pending', 0, 0, sum(remaining)::bigint
from loyalty_pending where arrived_at is null and remaining > 0 group by 1
union all
select club_day(v.obtained_at), 'voucher_' || e.kind, 0, count(*), sum(v.amount_cents)::bigint
from loyalty_voucher v join loyalty_entry e on e.customer_id = v.customer_id and e.id = v.id
where not e.copied group by 1, 2
union all
select day, 'voucher_open', 0, sum(count)::bigint, sum(amount)::bigint from (
  select club_day(v.expires_at) as day, 1 as count, v.amount_cents as amount
  from loyalty_voucher v join loyalty_entry e on e.customer_id = v.customer_id and e.id = v.id where not e.copied
  union all
  select club_day(v.expires_at), -1, -v.amount_cents from loyalty_voucher v where v.used_at is not null
  union all
  select club_day(v.expires_at), -1, -v.amount_cents
  from loyalty_voucher_use u join loyalty_voucher v on v.customer_id = u.customer_id and v.code = u.code
  union all
  select club_day(v.expires_at), -1, -v.amount_cents
  from loyalty_voucher_cancel c join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code
  where c.cancelled_at is not null
) open group by 1
union all
select club_day(c.cancelled_at), 'voucher_cancelled', 0, count(*), sum(v.amount_cents)::bigint
from loyalty_voucher_cancel c join loyalty_voucher v on v.customer_id = c.customer_id and v.code = c.code
where c.cancelled_at is not null group by 1
union all
select club_day(used_at), 'voucher_used', shop_id, count(*), sum(cents)::bigint from (
  select used_at, shop_id, taken_cents as cents from loyalty_voucher_use
  union all
  select used_at, 0, amount_cents from loyalty_voucher where used_at is not null
) used group by 1, 3
union all
select club_day(sold_at), metric_of_sale(customer_id), shop_id, count(*), sum(metric_cents(lines, 'paidCents'))::bigint
from shop_sale where former_source is null and not shop_sale_voided(shop_id, number) group by 1, 2, 3
union all
select club_day(sold_at), 'sale_repeat', shop_id, count(*), 0
from shop_sale where former_source is null and repeats and not shop_sale_voided(shop_id, number) group by 1, 3
union all
select club_day(returned_at), 'returned', shop_id, count(*), sum(metric_cents(refunds, 'cents'))::bigint
from shop_return where state = 'applied' and kind <> 'void' group by 1, 3
union all
select day, 'campaign', campaign_id, sum(count)::bigint, sum(points)::bigint from (
  select club_day(sold_at) as day, campaign_id, 1 as count, campaign_points as points
  from shop_sale where campaign_id is not null
  union all
  select club_day(returned_at), campaign_id, case kind when 'void' then -1 else 0 end, -campaign_points
  from shop_return where state = 'applied' and campaign_id is not null
) campaigns group by 1, 3
union all
select club_day(v.obtained_at), 'campaign_voucher', v.campaign_id, count(*), sum(v.amount_cents)::bigint
from loyalty_voucher v join loyalty_entry e on e.customer_id = v.customer_id and e.id = v.id
where v.campaign_id is not null and e.kind = 'gift' group by 1, 3
union all
select day, 'campaign_used', campaign_id, sum(count)::bigint, sum(cents)::bigint from campaign_voucher_use group by 1, 3;

create trigger loyalty_entry_stays before delete or update on loyalty_entry
  for each row execute function refuse_change();
create trigger loyalty_entry_books before insert on loyalty_entry for each row when (not is_moving()) execute function loyalty_book();
create trigger loyalty_voucher_use_books before insert on loyalty_voucher_use for each row execute function loyalty_book();
create trigger loyalty_pending_books before insert on loyalty_pending for each row when (not is_moving()) execute function loyalty_book();
create trigger loyalty_claw_back_books before insert on loyalty_claw_back for each row when (not is_moving()) execute function loyalty_book();
create trigger loyalty_account_written before update of state, member_since, left_at on loyalty_account for each row execute function warehouse_written();
create trigger loyalty_voucher_written before update on loyalty_voucher for each row execute function warehouse_written();
create trigger loyalty_voucher_cancel_written before update on loyalty_voucher_cancel for each row execute function warehouse_written();
create trigger shop_sale_written before update on shop_sale for each row execute function warehouse_written();
create trigger shop_return_written before update on shop_return for each row execute function warehouse_written();
create trigger campaign_written before update on campaign for each row execute function warehouse_written();
create trigger month_end_stays before delete or update on month_end for each row execute function month_end_stays();
create trigger month_end_stays_whole before truncate on month_end for each statement execute function refuse_change();
create trigger loyalty_entry_stays_whole before truncate on loyalty_entry
  for each statement execute function refuse_change();
create trigger loyalty_voucher_forward before update on loyalty_voucher
  for each row execute function loyalty_voucher_forward();
create trigger loyalty_voucher_stays before delete on loyalty_voucher for each row execute function refuse_change();
create trigger loyalty_voucher_stays_whole before truncate on loyalty_voucher
  for each statement execute function refuse_change();
create trigger loyalty_entry_reaches_wallet after insert on loyalty_entry
  for each row when (not is_moving()) execute function wallet_changed();
create trigger loyalty_account_reaches_wallet after update of state, card_number on loyalty_account
  for each row when (old.state is distinct from new.state or old.card_number is distinct from new.card_number) execute function wallet_changed();
create trigger customer_reaches_wallet after update of firstname, lastname, language on customer
  for each row when (old.firstname is distinct from new.firstname or old.lastname is distinct from new.lastname or old.language is distinct from new.language) execute function wallet_holder_changed();
create trigger oidc_login_ended after delete on oidc_login for each row execute function oidc_login_ended();
create trigger oidc_signing_key_changed after insert or delete or update on oidc_signing_key
  for each statement execute function oidc_signing_key_changed();
create trigger loyalty_programme_changed after insert or delete or update on loyalty_programme
  for each statement execute function loyalty_programme_changed();
create trigger loyalty_programme_changed after insert or delete or update on loyalty_tier
  for each statement execute function loyalty_programme_changed();
create trigger loyalty_programme_changed after insert or delete or update on loyalty_reward
  for each statement execute function loyalty_programme_changed();
create trigger loyalty_programme_changed after insert or delete or update on loyalty_event
  for each statement execute function loyalty_programme_changed();
create trigger consent_withdrawn after insert on consent
  for each row when (not new.given and new.subject <> 'loyalty' and not is_moving()) execute function webhook_consent();
create trigger loyalty_account_joins after insert on loyalty_account for each row when (not is_moving()) execute function webhook_account();
create trigger loyalty_account_changes after update of state on loyalty_account
  for each row when (old.state is distinct from new.state) execute function webhook_account();
create trigger loyalty_entry_tells after insert on loyalty_entry
  for each row when ((new.points > 0 and new.kind <> 'cancel' or new.kind = 'return') and not is_moving()) execute function webhook_entry();
create constraint trigger loyalty_earned_day_begins after insert or delete on loyalty_earned_day deferrable initially deferred
  for each row when (not is_moving()) execute function webhook_status();
create constraint trigger loyalty_earned_day_moves after update of points on loyalty_earned_day deferrable initially deferred
  for each row execute function webhook_status();
create trigger loyalty_voucher_tells after insert on loyalty_voucher for each row when (not is_moving()) execute function webhook_voucher();
create trigger loyalty_voucher_used after update of used_at on loyalty_voucher
  for each row when (old.used_at is null and new.used_at is not null) execute function webhook_voucher_used();
create trigger loyalty_voucher_use_tells after insert on loyalty_voucher_use
  for each row execute function webhook_voucher_used();
create trigger shop_sale_tells after insert on shop_sale for each row when (new.former_source is null) execute function webhook_sale();
create constraint trigger shop_return_applied after insert on shop_return deferrable initially deferred
  for each row when (new.state = 'applied') execute function webhook_return();
create constraint trigger shop_return_becomes_applied after update of state on shop_return deferrable initially deferred
  for each row when (old.state <> 'applied' and new.state = 'applied') execute function webhook_return();
create constraint trigger shop_return_undone after update of state on shop_return deferrable initially deferred
  for each row when (old.state = 'applied' and new.state = 'undone') execute function webhook_return();
create trigger programme_tells after insert or delete or update on loyalty_programme
  for each row execute function webhook_programme();
create trigger programme_tells after insert or delete or update on loyalty_tier
  for each row execute function webhook_programme();
create trigger programme_tells after insert or delete or update on loyalty_reward
  for each row execute function webhook_programme();
create trigger programme_tells after insert or delete or update on loyalty_event
  for each row execute function webhook_programme();
create trigger audit_log_stays before delete or update on audit_log for each row execute function refuse_change();
create trigger audit_log_stays_whole before truncate on audit_log for each statement execute function refuse_change();
create trigger loyalty_entry_counts after insert on loyalty_entry
  for each row when ((not new.copied and new.points <> 0) and not is_moving()) execute function metric_entry();
create trigger loyalty_lot_counts before insert on loyalty_lot for each row when (not is_moving()) execute function metric_lot();
create trigger loyalty_lot_changes before update of remaining on loyalty_lot
  for each row when (new.remaining <> old.remaining) execute function metric_lot();
create trigger loyalty_account_begins after insert on loyalty_account for each row when (not is_moving()) execute function metric_account();
create trigger loyalty_account_moves after update of state on loyalty_account
  for each row when (new.state <> old.state) execute function metric_account();
create trigger loyalty_debt_waives after update of waived on loyalty_debt
  for each row when (new.waived > old.waived) execute function metric_debt();
create trigger loyalty_voucher_counts after insert on loyalty_voucher for each row when (not is_moving()) execute function metric_voucher();
create trigger loyalty_voucher_ends after update of used_at on loyalty_voucher
  for each row when (old.used_at is null and new.used_at is not null) execute function metric_voucher();
create trigger loyalty_voucher_use_counts after insert on loyalty_voucher_use
  for each row execute function metric_voucher_use();
create trigger shop_sale_repeats before insert or update of customer_id on shop_sale
  for each row execute function shop_sale_repeats();
create trigger shop_sale_counts after insert on shop_sale for each row when (new.former_source is null) execute function metric_sale();
create trigger shop_sale_moves after update of customer_id, sold_at on shop_sale
  for each row when (new.former_source is null and (new.sold_at <> old.sold_at or (old.customer_id is null) <> (new.customer_id is null))) execute function metric_sale();
create trigger shop_return_counts after insert on shop_return
  for each row when (new.state = 'applied') execute function metric_return();
create trigger shop_return_begins_to_count after update of state on shop_return
  for each row when (new.state = 'applied' and old.state <> 'applied') execute function metric_return();
create trigger shop_return_stops_counting after update of state on shop_return
  for each row when (new.state <> 'applied' and old.state = 'applied') execute function metric_return();
create trigger shop_return_of_friend after insert or update of state on shop_return
  for each row when (new.state = 'applied') execute function referral_returned();
create trigger campaign_forward before update on campaign for each row execute function campaign_forward();
create trigger campaign_stays before delete on campaign for each row execute function refuse_change();
create trigger shop_sale_of_campaign after insert on shop_sale
  for each row when (new.campaign_id is not null) execute function metric_campaign();
create trigger shop_sale_campaign_moves after update of sold_at, campaign_id, campaign_points on shop_sale
  for each row when (new.campaign_id is not null and (new.sold_at <> old.sold_at or new.campaign_points <> old.campaign_points or old.campaign_id is distinct from new.campaign_id)) execute function metric_campaign();
create trigger shop_sale_given after insert on shop_sale
  for each row when (new.campaign_id is not null and new.campaign_cap_points is not null) execute function campaign_given();
create trigger shop_sale_given_later after update of campaign_id on shop_sale
  for each row when (new.campaign_cap_points is not null and old.campaign_id is null and new.campaign_id is not null) execute function campaign_given();
create trigger loyalty_version_stays before delete or update on loyalty_programme
  for each row execute function loyalty_version_stays();
create trigger loyalty_version_stays before delete or update on loyalty_tier
  for each row execute function loyalty_version_stays();
create trigger loyalty_version_whole after insert on loyalty_tier for each row execute function loyalty_version_stays();
create trigger loyalty_version_stays before delete or update on loyalty_reward
  for each row execute function loyalty_version_stays();
create trigger loyalty_version_whole after insert on loyalty_reward
  for each row execute function loyalty_version_stays();
create trigger loyalty_version_stays before delete or update on loyalty_event
  for each row execute function loyalty_version_stays();
create trigger loyalty_version_whole after insert on loyalty_event
  for each row execute function loyalty_version_stays();
create trigger loyalty_pending_tells after insert on loyalty_pending for each row when (not is_moving()) execute function webhook_pending();
create trigger loyalty_pending_changes after update of remaining on loyalty_pending
  for each row when (new.remaining <> old.remaining) execute function webhook_pending();
create trigger loyalty_pending_counts after insert on loyalty_pending for each row when (not is_moving()) execute function metric_pending();
create trigger loyalty_pending_moves after update of remaining, arrived_at on loyalty_pending
  for each row execute function metric_pending();
create trigger loyalty_pending_ends after delete on loyalty_pending for each row execute function metric_pending();
create trigger loyalty_voucher_cancel_tells after insert on loyalty_voucher_cancel
  for each row when (new.cancelled_at is not null) execute function webhook_voucher_cancelled();
create trigger loyalty_voucher_cancel_done after update of cancelled_at on loyalty_voucher_cancel
  for each row when (old.cancelled_at is null and new.cancelled_at is not null) execute function webhook_voucher_cancelled();
create trigger loyalty_voucher_cancel_counts after insert on loyalty_voucher_cancel
  for each row when (new.cancelled_at is not null) execute function metric_voucher_cancel();
create trigger loyalty_voucher_cancel_ends after update of cancelled_at on loyalty_voucher_cancel
  for each row when (old.cancelled_at is null and new.cancelled_at is not null) execute function metric_voucher_cancel();
