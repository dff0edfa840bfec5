-- A customer whom a shop registered: their letter and the page that confirms the address name shop and day.
create table shop_registration (
  customer_id bigint primary key references customer on delete cascade,
  shop_id integer not null references shop,
  shop_name text not null,
  registered_at timestamptz not null,
  -- Brings the wallet pass to the customer's phone for an hour, and never a session.
  pass_token text not null unique
);
