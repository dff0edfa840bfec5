-- The customer whom web shops and apps know by a subject, also by that of an account that was merged into theirs.
-- Called by src/oidc/claims.server.ts, src/identity/unsubscribe/unsubscribe.server.ts, src/shop/consent.server.ts, src/shop/sales/purchase/facts.server.ts and src/shop/keys/identify-query.server.ts.
create or replace function customer_of_subject(the_subject uuid) returns bigint
  language sql stable
  return coalesce(
    (select id from customer where subject = the_subject),
    (select customer_id from former_subject where subject = the_subject));
