-- no transaction
-- A till finds members by their phone number.
drop index concurrently if exists customer_mobile_phone;
create index concurrently customer_mobile_phone on customer (mobile_phone) where mobile_phone is not null;
