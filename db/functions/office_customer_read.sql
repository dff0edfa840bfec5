-- That a staff member has read a customer, once in a quarter of an hour: a page that is loaded again is the same
-- look at the record, as at the till. The page asks for record and timeline at once: the lock makes one of them wait.
-- Called by src/office/customers/server/record/record.server.ts, src/office/customers/server/record/timeline.server.ts and
-- src/office/move/cases.server.ts.
create or replace function office_customer_read(
  the_staff integer, the_customer bigint, the_request text, moment timestamptz
) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('read:' || the_staff || ':' || the_customer, 45));
  insert into audit_log (at, made_by, staff_id, action, customer_id, request_id)
  select moment, 'staff', the_staff, 'customer_read', c.id, the_request
  from customer c where c.id = the_customer and not exists (
    select from audit_log l
    where l.customer_id = c.id and l.staff_id = the_staff and l.action = 'customer_read'
      and l.at > moment - interval '15 minutes');
end $$;
