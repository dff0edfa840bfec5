-- What was entered on an account before its address was confirmed, until the owner of the address has said whether it is
-- theirs; deleted after 30 days.
create table previous_details (
  customer_id bigint primary key references customer on delete cascade,
  firstname text not null,
  lastname text not null,
  civility text,
  birthday date,
  mobile_phone text,
  newsletter boolean not null,
  newsletter_sms boolean not null,
  stored_at timestamptz not null default now()
);
