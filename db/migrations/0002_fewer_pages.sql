-- no transaction
-- What each call of a customer reads: of the token no row, and of guests, who are few, no more than that it is none
-- (src/identity/session/caller-reads.server.ts).
drop index concurrently if exists session_token_session;
create index concurrently session_token_session on session_token (token_hash) include (customer_id, session_id);
drop index concurrently if exists customer_guest;
create index concurrently customer_guest on customer (id) where guest;
-- The day until which a status is held is found by the primary key (db/functions/loyalty_status.sql).
drop index concurrently if exists loyalty_earned_day_until;
