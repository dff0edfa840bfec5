import { ofKnown, type Statement } from "./batch.server.ts";

/** Accounts with their ways to sign in and what they have agreed to. */
export const addCustomers: Statement[] = [
  // A member without an address gets one that no mail can reach, so that the account has its own. Nobody can have guessed
  // it and registered with it before.
  `update batch b set email = replace(gen_random_uuid()::text, '-', '') || '@no-address.invalid', email_verified = null
   where b.email is null and b.fate = 'new'`,

  `insert into customer (id, email, firstname, lastname, civility, birthday, mobile_phone, language, password_hash,
     email_verified_at, newsletter, newsletter_sms, origin, created_at, updated_at, last_seen_at, blocked_at)
   overriding system value
   select b.customer_id, b.email, coalesce(b.firstname, ''), coalesce(b.lastname, ''), b.civility, b.birthday, b.mobile_phone,
     coalesce(b.language, n.language), coalesce(b.password_stored, h.stored), b.email_verified,
     coalesce(b.newsletter, letter.given, false), coalesce(b.newsletter_sms, sms.given, false), 'import',
     coalesce(b.created_at, b.joined_at, n.taken_at), n.moment, coalesce(b.last_active_at, n.moment), b.blocked
   from batch b cross join stage_now n
   left join move_hash h on h.source = n.source and h.source_id = b.source_id
   left join lateral (select given from stage_consents c where c.source_id = b.source_id and c.subject = 'newsletter'
     order by at desc, line desc limit 1) letter on true
   left join lateral (select given from stage_consents c where c.source_id = b.source_id and c.subject = 'sms'
     order by at desc, line desc limit 1) sms on true
   where b.fate = 'new'`,
  "insert into customer_email (email, customer_id) select email, customer_id from batch where fate = 'new'",

  // Of new customers alone: one who is here has ways to sign in, and may have removed this one.
  `with logins as (
     insert into social_login (customer_id, provider, created_at)
     select b.customer_id, s.provider, n.taken_at from batch b join stage_social s using (source_id) cross join stage_now n
     where b.fate = 'new' on conflict do nothing returning customer_id, provider)
   insert into social_account (provider, provider_customer_id, customer_id)
   select l.provider, s.subject, l.customer_id from logins l
   join batch b using (customer_id) join stage_social s on s.source_id = b.source_id and s.provider = l.provider`,

  // The log of consents as it was, and where its last word is another than the member's row, that row's.
  `with log as (
     select b.customer_id, c.subject, c.given, c.text, c.source, c.at, c.line
     from batch b join stage_consents c using (source_id) where b.fate = 'new'),
   said as (
     select b.customer_id, s.subject, s.given, s.at, b.consent_text as text, n.source
     from batch b cross join stage_now n join customer c on c.id = b.customer_id
     cross join lateral (values
       ('newsletter', c.newsletter, coalesce(b.newsletter_at, n.taken_at)),
       ('sms', c.newsletter_sms, coalesce(b.newsletter_sms_at, n.taken_at)),
       ('loyalty', b.joined_at is not null and b.left_at is null, coalesce(b.left_at, b.joined_at, n.taken_at))
     ) s (subject, given, at)
     where b.fate = 'new' and s.given <> coalesce((
       select given from log l where l.customer_id = b.customer_id and l.subject = s.subject
       order by l.at desc, l.line desc limit 1), false))
   insert into consent (customer_id, subject, given, text_version, source, at)
   select customer_id, subject, given, coalesce(text, 'import'), coalesce(source, 'import'), at from (
     select customer_id, subject, given, text, source, at, 0 as last, line from log
     union all select customer_id, subject, given, text, source, at, 1, 0 from said) consents
   order by customer_id, last, at, line`,
  // Linked members who join by the move: the club is what they had agreed to.
  ofKnown(`insert into consent (customer_id, subject, given, text_version, source, at)
   select b.customer_id, 'loyalty', true, coalesce(b.consent_text, 'import'), n.source, b.joined_at
   from batch b cross join stage_now n
   where b.fate <> 'new' and b.account is null and b.joined_at is not null and b.left_at is null`),
];

/** Details that changed in the old club, where the customer has changed nothing here. */
export const changeCustomers: Statement[] = [
  `with said as (
     select b.customer_id, s.subject, s.given, s.at, b.consent_text
     from batch b cross join stage_now n join move_member k on k.source = n.source join customer c on c.id = k.customer_id
     cross join lateral (values
       ('newsletter', b.newsletter, c.newsletter, coalesce(b.newsletter_at, n.taken_at)),
       ('sms', b.newsletter_sms, c.newsletter_sms, coalesce(b.newsletter_sms_at, n.taken_at))) s (subject, given, before, at)
     where k.source_id = b.source_id and b.fate = 'known' and not k.linked and k.content <> b.content
       and c.updated_at <= k.moved_at and s.given <> s.before
   ), log as (
     insert into consent (customer_id, subject, given, text_version, source, at)
     select s.customer_id, s.subject, s.given, coalesce(s.consent_text, 'import'), n.source, s.at
     from said s cross join stage_now n returning customer_id, subject, given
   )
   update customer c set newsletter = case when l.subject = 'newsletter' then l.given else c.newsletter end,
     newsletter_sms = coalesce((select given from log s where s.customer_id = c.id and s.subject = 'sms'), c.newsletter_sms)
   from (select distinct on (customer_id) * from log order by customer_id, subject) l where c.id = l.customer_id`,

  `insert into move_rejected (run_id, file, line, field, value, reason, whole_row, source_id)
   select n.run_id, 'members.csv', b.line, null, b.source_id, 'moved_here', false, b.source_id
   from batch b cross join stage_now n join move_member k on k.source = n.source
   join customer c on c.id = k.customer_id
   where k.source_id = b.source_id and b.fate = 'known' and k.content <> b.content and c.updated_at > k.moved_at`,
  `update customer c set firstname = coalesce(b.firstname, ''), lastname = coalesce(b.lastname, ''), civility = b.civility,
     birthday = b.birthday, mobile_phone = b.mobile_phone, language = coalesce(b.language, c.language)
   from batch b cross join stage_now n join move_member k on k.source = n.source
   where k.source_id = b.source_id and c.id = b.customer_id and b.fate = 'known' and not k.linked and k.content <> b.content
     and c.updated_at <= k.moved_at`,
].map(ofKnown);
