-- no transaction
-- The back office finds customers by the beginning of their name, in either order, however many there are.
drop index concurrently if exists customer_name_first;
create index concurrently customer_name_first on customer ((name_folded(firstname || ' ' || lastname)) collate "C", id);
drop index concurrently if exists customer_name_last;
create index concurrently customer_name_last on customer ((name_folded(lastname || ' ' || firstname)) collate "C", id);
