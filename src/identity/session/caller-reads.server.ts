import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { type Caller, type CallerReads, columnOf, type Read } from "#platform/api/reads.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { buildStatement, type Statement } from "#platform/database/statements.server.ts";
import { createConcurrencyLimit } from "#platform/limits/concurrency-limit.server.ts";
import { extendSession, tokenOf } from "./session.server.ts";
import { hashToken } from "./tokens.server.ts";

interface Wanted {
  read: Read<never, unknown>;
  values: object;
}

/** A row of the session's query; further columns are the reads, in their order. */
type Row = [customerId: string, sessionId: string, guest: boolean, stale: boolean, ...values: unknown[]];

/**
 * Looks up the session of a request, and in the same round trip whatever its call reads of the customer. With `together`,
 * as for a page, the reads that are asked for in the same turn of the event loop travel in one statement.
 */
export function createCallerReads(database: Database, now: () => Date) {
  const statements = new Map<string, Statement & { name: string }>();
  // By token, since the customer is not known before: one session cannot hold every connection.
  const limit = createConcurrencyLimit({ atOnce: 8, waiting: 200 });

  /** One statement for each set of reads, prepared once on each connection. */
  function statementOf(wanted: Wanted[]) {
    const key = wanted.map(({ read }) => read.name).join();
    let statement = statements.get(key);
    if (!statement) {
      const columns = wanted.map(({ read }, index) => columnOf(read, prefixOf(index)));
      // PostgreSQL cuts off names of more than 63 characters.
      const name = `session_${createHash("sha256").update(key).digest("base64url")}`;
      statement = { name, ...buildStatement(sessionQuery(columns)) };
      statements.set(key, statement);
    }
    return statement;
  }

  return (request: Request, { together = false } = {}): CallerReads => {
    const moment = now();
    const sent = tokenOf(request);
    const hash = sent && hashToken(sent.token);
    let batch: { wanted: Map<string, Wanted>; found: ReturnType<typeof run> } | undefined;

    async function run(wanted: Map<string, Wanted>) {
      if (together) await setImmediate();
      else await undefined;
      batch = undefined;
      if (!sent || !hash) return undefined;
      // In the order of their names: the same reads are the same statement, no matter who asked first.
      const sorted = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1));
      const { name, text, parameters } = statementOf(sorted.map(([, one]) => one));
      const values: Record<string, unknown> = { hash, now: moment.toISOString() };
      for (const [index, [, one]] of sorted.entries())
        for (const [field, value] of Object.entries(one.values)) values[prefixOf(index) + field] = value;
      const { rows } = await limit({ customerId: hash.toString("base64"), sessionId: 0 }, () =>
        database.pipeline.query<Row>({ name, text, values: parameters(values), rowMode: "array" }),
      );
      const [row] = rows;
      if (!row) return undefined;
      const [customerId, sessionId, guest, stale, ...read] = row;
      const caller: Caller = {
        customerId: Number(customerId),
        sessionId: Number(sessionId),
        guest,
        byCookie: sent.byCookie,
      };
      if (stale) await extendSession(database, caller.customerId, caller.sessionId);
      return { caller, values: new Map(sorted.map(([key], index) => [key, read[index]])) };
    }

    const open = () => {
      if (!batch) {
        const wanted = new Map<string, Wanted>();
        batch = { wanted, found: run(wanted) };
      }
      return batch;
    };
    return {
      now: moment,
      async caller() {
        return (await open().found)?.caller;
      },
      async read(read, values) {
        const key = `${read.name} ${JSON.stringify(values)}`;
        const { wanted, found } = open();
        wanted.set(key, { read, values });
        const row = await found;
        return row && { caller: row.caller, value: row.values.get(key) };
      },
    };
  };
}

const prefixOf = (index: number) => `${index}_`;

/**
 * Looks up a session by the hash of its token; further columns may read of `caller`, the customer. Its use is written down
 * once an hour, and once after a newer session was opened or used: of too many sessions the one not used for longest ends.
 * A customer who has not been here for long is on pages that no one has in memory, so it reads as few as it can: of the
 * token an index alone, and of the customer nothing, as guests have an index of their own and no session outlives its customer.
 */
export const sessionQuery = (columns: SQL[]) => sql`
  select caller.id, session.id, caller.guest, session.last_seen_at < now() - interval '1 hour' or exists (
    select from session newer where newer.customer_id = session.customer_id and newer.id > session.id
      and newer.last_seen_at >= session.last_seen_at)${sql.join(columns.map((column) => sql`, ${column}`))}
  from session_token
  join session on session.customer_id = session_token.customer_id and session.id = session_token.session_id
  cross join lateral (
    select session_token.customer_id as id, exists (
      select from customer known where known.id = session_token.customer_id and known.guest) as guest
  ) caller
  where session_token.token_hash = ${sql.placeholder("hash")} and session.expires_at > now()`;
