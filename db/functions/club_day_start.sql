-- The first moment of a day in Paris. Called by shop_member_at, shop_sale_facts, loyalty_earned and
-- src/shop/sales/review/decide-sale.server.ts.
create or replace function club_day_start(day date) returns timestamptz
  language sql immutable parallel safe
  return day::timestamp at time zone 'Europe/Paris';
