import { type SQL, sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";

/** Who makes an authenticated call. */
export interface Caller {
  customerId: number;
  guest: boolean;
  sessionId: number;
  /** The bearer came in the cookie, so the request must prove that it comes from our own pages. */
  byCookie: boolean;
}

/** What the SQL of a read is written with. */
export interface ReadNames<Values extends object> {
  /** The id of the customer, a bigint. */
  customerId: SQL;
  /** The moment of the request, a timestamptz. */
  now: SQL;
  /** A parameter of the read; it needs a cast. */
  value: (name: keyof Values & string) => SQL;
}

/**
 * What a call reads of one customer: a single SQL expression, so that it can be a column of the query that looks up the
 * session. A call is then one round trip, and so are all calls that a page makes at the same time.
 */
export interface Read<Values extends object, Result> {
  name: string;
  expression: (names: ReadNames<Values>) => SQL<Result>;
}

export function defineRead<Values extends object, Result>(
  name: string,
  expression: (names: ReadNames<Values>) => SQL,
): Read<Values, Result> {
  return { name, expression: expression as (names: ReadNames<Values>) => SQL<Result> };
}

/** What one request asks about the person who makes it. No one is signed in: undefined. */
export interface CallerReads {
  /** The moment of the request: one for all calls of a page. */
  now: Date;
  caller(): Promise<Caller | undefined>;
  read(read: Read<never, unknown>, values: object): Promise<{ caller: Caller; value: unknown } | undefined>;
}

/** The SQL of a read of the customer whose row is named `caller`; `prefix` tells two reads of one statement apart. */
export function columnOf<Values extends object>(read: Read<Values, unknown>, prefix: string): SQL {
  return read.expression({
    customerId: sql`caller.id`,
    now: sql`${sql.placeholder("now")}::timestamptz`,
    value: (name: string) => sql`${sql.placeholder(prefix + name)}`,
  });
}

const prepareById = (queries: Queries, read: Read<never, unknown>) =>
  queries
    .select({ value: columnOf(read, "") })
    .from(sql`(select ${sql.placeholder("customerId")}::bigint as id) caller`)
    .prepare(read.name);

/** Built once for each database: building one takes longer than sending it. */
const preparedById = new WeakMap<Queries, Map<string, ReturnType<typeof prepareById>>>();

/** Runs a read by the customer's id, where the session is no question: inside a transaction, or in a job. */
export async function readById<Values extends object, Result>(
  queries: Queries,
  read: Read<Values, Result>,
  { customerId, now, values }: { customerId: number; now: Date; values: Values },
): Promise<Result> {
  const prepared = preparedById.get(queries) ?? new Map();
  preparedById.set(queries, prepared);
  const statement = prepared.get(read.name) ?? prepareById(queries, read as Read<never, unknown>);
  prepared.set(read.name, statement);
  const [row] = await statement.execute({ customerId, now: now.toISOString(), ...values });
  return row?.value as Result;
}

/** A moment out of PostgreSQL's JSON, as the wire spells it: milliseconds, in UTC. */
export const isoMoment = (moment: string) => new Date(moment).toISOString();
