/** Asks of customers who were here before: left out of a batch without any, so that a bad plan for none costs nothing. */
export const ofKnown = (statement: string) => ({ ofKnown: statement });
export type Statement = string | ReturnType<typeof ofKnown>;

/** Whose account, points and vouchers existed before this batch. */
export const existed = "b.fate <> 'new'";
export const cause = (id: string) => `'import:' || n.source || ':' || ${id}`;
/** A lot as the ledger knows it: corrections of later packages have the same cause with a number behind. */
export const lotCause = "split_part(e.cause, ' #', 1)";

export const createBatchTables = `
  create temp table batch (like stage_members, tier_id integer, account text, base integer);
  create temp table batch_days (customer_id bigint, day date, points integer, more integer);
  create temp table kept_lots (customer_id bigint, cause text);
  create temp table batch_changes (customer_id bigint, cause text, change integer, expires_at timestamptz, touched boolean, line integer)`;
/** The members of lines $1 to $2. */
export const chooseMembers: string[] = [
  "truncate batch, batch_days, batch_changes",

  `insert into batch select m.*, coalesce(t.id, lowest.id), a.state, coalesce(a.balance, 0) from stage_members m
   cross join lateral (select id from stage_tiers order by rank limit 1) lowest
   left join stage_tiers t on t.rank = m.rank
   left join loyalty_account a on a.customer_id = m.customer_id
   where m.line between $1 and $2 and m.fate in ('new', 'linked', 'known') order by m.line`,
  // In the order of the file, which is not that of the table: a short row goes where a longer one before it did not fit.
  `update batch b set customer_id = numbered.id from (
     select line, nextval(pg_get_serial_sequence('customer', 'id')) as id
     from (select line from batch where fate = 'new' order by line) ordered) numbered
   where b.line = numbered.line`,
  "analyze batch",
];
export const anyKnown = `select from batch b where ${existed} limit 1`;

/** In the order customer, account. */
export const lockMembers: Statement[] = [
  `select 1 from customer where id in (select customer_id from batch b where ${existed}) order by id for no key update`,
  `select 1 from loyalty_account where customer_id in (select customer_id from batch b where ${existed})
   order by customer_id for update`,
  // Who was erased or merged since the package was read is left out, as resolveMembers (src/move/stage.server.ts) does.
  `with merged as (
     select g.into_id from customer_merge g join move_member o using (customer_id) join stage_now n using (source)
   ), left_out as (
     delete from batch b where ${existed} and (not exists (select from customer c where c.id = b.customer_id)
       or b.fate = 'known' and b.customer_id in (select into_id from merged))
     returning b.line, b.source_id, b.customer_id, b.fate
   ), marked as (update stage_members s set fate = 'gone' from left_out l where l.line = s.line)
   insert into move_rejected (run_id, file, line, field, value, reason, whole_row, source_id)
   select n.run_id, 'members.csv', l.line, 'SourceId', l.source_id, 'moved_here', true, l.source_id
   from left_out l cross join stage_now n
   where l.fate = 'linked' or exists (select from customer_merge g where l.customer_id in (g.customer_id, g.into_id))`,
  // Again, under the lock.
  `update batch b set account = a.state, base = a.balance from loyalty_account a where ${existed} and a.customer_id = b.customer_id`,
].map(ofKnown);
