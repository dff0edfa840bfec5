-- Former members are told once until when their points are kept.
alter table loyalty_warning drop constraint loyalty_warning_subject_check, add constraint loyalty_warning_subject_check
  check (subject in ('points', 'kept_points', 'voucher', 'status')) not valid;
