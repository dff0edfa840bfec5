-- Who added a person in the back office: that colleague is no second pair of eyes for the person's sales.
alter table staff add column added_by integer references staff;

update staff set added_by = log.staff_id
from audit_log log
where log.action = 'staff_added' and log.made_by = 'staff' and (log.after ->> 'staffId')::integer = staff.id;
