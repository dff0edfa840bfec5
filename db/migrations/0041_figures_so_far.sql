-- The figures of what happened before 0040. The points of customers erased before are owed to nobody.
select loyalty_forfeit(customer_id, now()) from loyalty_account where state = 'erased' and balance > 0;
select figure_rebuild();
