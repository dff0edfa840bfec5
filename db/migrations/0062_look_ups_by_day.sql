-- no transaction
-- For the report of look-ups by day (src/office/team/look-ups.server.ts). Rows arrive in the order of their time, so a
-- block-range index finds a day at almost no cost for the till that looks up.
drop index concurrently if exists shop_look_up_by_day;
create index concurrently shop_look_up_by_day on shop_look_up using brin (at) with (pages_per_range = 16, autosummarize = on);
