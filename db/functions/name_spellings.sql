-- The words of a folded name, and each word of four letters or more without one of them: two spellings that differ by a
-- letter more, less, wrong or changed with its neighbour have one of these in common, which an index can look up. Called by
-- customers_alike and the index customer_name_spellings.
create or replace function name_spellings(the_name text) returns text[]
  language plpgsql immutable parallel safe as $$
declare
  the_word text;
  spellings text[] := '{}';
begin
  foreach the_word in array string_to_array(the_name, ' ') loop
    spellings := spellings || the_word;
    if length(the_word) >= 4 then
      for place in 1 .. length(the_word) loop
        spellings := spellings || (left(the_word, place - 1) || substr(the_word, place + 1));
      end loop;
    end if;
  end loop;
  return spellings;
end $$;
