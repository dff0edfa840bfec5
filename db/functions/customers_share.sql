-- Whether two customers are one person or live together, by what they have told: the same mailbox, mobile phone or postal
-- address, however it is written, or their cards in the wallet of one phone. Called by
-- src/loyalty/referral/referral-job.server.ts.
create or replace function customers_share(one bigint, other bigint) returns boolean
  language sql stable
  return exists (
      select from customer a join customer b on b.id = other
      where a.id = one and (mailbox_of(a.email) = mailbox_of(b.email) or a.mobile_phone = b.mobile_phone))
    or exists (
      select from postal_address a join postal_address b on b.customer_id = other and b.country = a.country
        and replace(b.postcode, ' ', '') = replace(a.postcode, ' ', '')
        and regexp_replace(name_folded(b.address1), '[^[:alnum:]]', '', 'g')
          = regexp_replace(name_folded(a.address1), '[^[:alnum:]]', '', 'g')
      where a.customer_id = one)
    or exists (
      select from apple_device a join apple_device b on b.customer_id = other and b.device_id = a.device_id
      where a.customer_id = one);
