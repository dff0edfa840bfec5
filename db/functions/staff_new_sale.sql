-- Whether a sale must be reviewed because a person sold it who was added in the seven days before, to an account that is of
-- a person who works here (staff_owns): an invented colleague must not be the second pair of eyes. Called by
-- src/staff/own-card.server.ts and src/shop/sales/review/conflicts.server.ts.
create or replace function staff_new_sale(seller integer, the_customer bigint, moment timestamptz) returns boolean
  language sql stable
  return exists (select from staff s where s.id = seller and s.created_at > moment - interval '7 days')
    and exists (select from staff p where p.ended_at is null and staff_owns(p.id, the_customer));
