-- Whether a customer account is of a person of the staff: the one recorded as theirs, or one with the mailbox or the phone of
-- an account of theirs that was erased (staff_own_person). Called by src/staff/own-card.server.ts,
-- src/staff/privacy.server.ts, src/shop/sales/claim/claim.server.ts, src/office/customers/server/adjustments/adjustment-limits.server.ts,
-- src/office/sign-in/waiting.server.ts and staff_new_sale.
create or replace function staff_owns(the_staff integer, the_customer bigint) returns boolean
  language sql stable
  return exists (select from staff p where p.id = the_staff and p.own_customer_id = the_customer)
    or exists (
      select from staff_own_person o join customer c on c.id = the_customer
      where o.staff_id = the_staff and o.person in (loyalty_person(c.email), loyalty_person(c.mobile_phone)));
