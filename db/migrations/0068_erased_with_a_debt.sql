-- Customers who erase an account that owes points are listed in the audit log.
alter table audit_log drop constraint audit_log_made_by_check, add constraint audit_log_made_by_check
  check (made_by in ('staff', 'device', 'command', 'job', 'customer')) not valid;
