-- Customers who are like what was typed though nothing begins with it, ten at most, the most alike first; each way only where
-- the ones before have found too few: a part of the name by the ends of its words, a name with an error in any of its words by
-- spellings, a part of the address by trigrams. A GIN index collects all rows that match before the first is read, so what
-- many share is found among the newest customers instead, as long as enough of those fit. Fewer letters than these would find
-- everybody. The planner takes what is alike for frequent, and would rather read every customer until it has found so many:
-- hence no sequential scans; planning each time would take as long as the search (decisions 0076, 0097 and 0104).
-- Called by src/office/customers/server/record/search.server.ts.
create or replace function customers_alike(the_text text, the_errors boolean, the_found bigint[])
  returns table (id bigint, place bigint) language plpgsql stable rows 10
  set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  typed text := lower(trim(the_text));
  folded text := name_folded(the_text);
  is_name boolean := typed !~ '[0-9@]';
  -- Null matches nothing.
  in_email text := case when length(typed) >= 3 and typed !~ '\s'
    then '%' || regexp_replace(typed, '([\\%_])', '\\\1', 'g') || '%' end;
  in_name text := case when length(typed) >= 3 and is_name
    then '%' || regexp_replace(folded, '([\\%_])', '\\\1', 'g') || '%' end;
  words text[] := string_to_array(folded, ' ');
  -- Each word of three letters or more, whatever follows it.
  parts tsquery := (select string_agg('''' || replace(word, '\', '\\') || ''':*', ' & ')
    from unnest(words) word where length(word) >= 3)::tsquery;
  spellings text[] := name_spellings(folded);
  one record;
  looked_at integer := 0;
  alike bigint[] := '{}';
begin
  if coalesce(in_email, in_name) is not null then
    -- Folding so many names would take longer than the index: one with accents is found there.
    for one in
      select c.id, not c.guest and c.id <> all (the_found)
        and (c.email like in_email or lower(c.firstname || ' ' || c.lastname) like in_name) as fits
      from customer c order by c.id desc
    loop
      looked_at := looked_at + 1;
      if one.fits then
        alike := alike || one.id;
      end if;
      exit when cardinality(alike) = 10 or looked_at >= 300 and cardinality(alike) < looked_at / 150;
    end loop;
  end if;
  if cardinality(alike) < 10 then
    alike := array(
      select c.id from customer c
      where name_parts(name_folded(c.firstname || ' ' || c.lastname)) @@ parts
        and name_folded(c.firstname || ' ' || c.lastname) like in_name
        and not c.guest and c.id <> all (the_found) limit 20);
  end if;
  if the_errors and is_name and length(typed) >= 4 and cardinality(alike) = 0 then
    if cardinality(words) > 1 then
      alike := array(
        select c.id from customer c
        where name_spellings(name_folded(c.firstname || ' ' || c.lastname)) && name_spellings(words[1])
          and name_spellings(name_folded(c.firstname || ' ' || c.lastname)) && name_spellings(words[2])
          and name_spellings(name_folded(c.firstname || ' ' || c.lastname)) && name_spellings(coalesce(words[3], words[2]))
          and not c.guest and c.id <> all (the_found) limit 50);
    else
      looked_at := 0;
      for one in
        -- Trigrams first: spellings take ten times as long.
        select c.id, not c.guest and c.id <> all (the_found)
          and word_similarity(folded, lower(c.firstname || ' ' || c.lastname)) > 0.3
          and name_spellings(name_folded(c.firstname || ' ' || c.lastname)) && spellings as fits
        from customer c order by c.id desc
      loop
        looked_at := looked_at + 1;
        if one.fits then
          alike := alike || one.id;
        end if;
        exit when cardinality(alike) = 10 or looked_at >= 100 and cardinality(alike) < looked_at / 75;
      end loop;
      if cardinality(alike) < 10 then
        alike := array(
          select c.id from customer c
          where name_spellings(name_folded(c.firstname || ' ' || c.lastname)) && spellings
            and not c.guest and c.id <> all (the_found) limit 20);
      end if;
    end if;
  end if;
  if cardinality(alike) = 0 then
    alike := array(
      select c.id from customer c
      where c.email like in_email and not c.guest and c.id <> all (the_found) limit 20);
  end if;
  return query
    select c.id, row_number() over (
      order by word_similarity(folded, name_folded(c.firstname || ' ' || c.lastname)) desc, c.id)
    from customer c where c.id = any (alike) order by 2 limit 10;
end $$;
