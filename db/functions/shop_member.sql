-- What a till may know of a member whom it looks up, with the tier of a day (db/functions/shop_member_at.sql). Called
-- by src/till/customers/search.server.ts, src/till/receipt.server.ts, shop_find_members.
create or replace function shop_member(the_customer bigint, the_day date, moment timestamptz) returns jsonb
  language sql stable
  return shop_member_at(
    the_customer, case when the_day = club_day(moment) then moment else club_day_end(the_day) end, moment, moment);
