-- no transaction
-- The metrics ask for the oldest letter that waits: without this index they would read every letter ever sent.
drop index concurrently if exists mail_waiting;
create index concurrently mail_waiting on mail (queued_at) where sent_at is null and refused_at is null;
