-- Whether a member is in a version of a segment at a moment, by the statement that was compiled of it
-- (statementOf of the segments): $1 are its parameters, $2 the customer, $3 the moment.
-- Called by loyalty_campaigns.
create or replace function segment_holds(
  the_segment integer, the_version integer, the_customer bigint, moment timestamptz
) returns boolean language plpgsql stable cost 10000 as $$
declare
  compiled segment_statement;
  holds boolean;
begin
  select * into compiled from segment_statement s where s.segment_id = the_segment and s.version = the_version;
  execute compiled.statement into holds using compiled.parameters, the_customer, moment;
  return holds;
end $$;
