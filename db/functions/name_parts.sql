-- The ends of each word of a folded name, three letters or more: a part of a word is the beginning of one of them, which an
-- index can look up. Called by customers_alike and the index customer_name_parts.
create or replace function name_parts(the_name text) returns tsvector
  language plpgsql immutable parallel safe as $$
declare
  the_word text;
  ends text[] := '{}';
begin
  foreach the_word in array string_to_array(the_name, ' ') loop
    for place in 1 .. length(the_word) - 2 loop
      ends := ends || substr(the_word, place);
    end loop;
  end loop;
  return array_to_tsvector(ends);
end $$;
