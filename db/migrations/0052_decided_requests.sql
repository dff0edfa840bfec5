-- no transaction
-- What a second person has decided, the newest first (src/office/customers/decided.server.ts).
drop index concurrently if exists office_request_decided;
create index concurrently office_request_decided on office_request (decided_at desc, id desc) where state in ('approved', 'declined');
