-- A name as it is searched: lower case, without accents, hyphens and apostrophes. Immutable, so that an index can hold
-- it. Called by src/till/customers/search.server.ts, src/office/customers/server/record/search.server.ts,
-- customers_alike and customers_share.
create or replace function name_folded(the_text text) returns text
  language sql immutable parallel safe
  return trim(regexp_replace(regexp_replace(
    replace(replace(replace(replace(replace(lower(normalize(
      replace(replace(replace(the_text, 'Œ', 'oe'), 'Æ', 'ae'), 'Ø', 'o'), nfkd)),
      'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae'), 'ø', 'o'), 'ł', 'l'),
    '[\u0300-\u036f]', '', 'g'), '[\s''’.-]+', ' ', 'g'));
