import pg from "pg";
import { afterAll, expect } from "vitest";
import { type Invariant, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import type { Database } from "#platform/database/database.server.ts";

const ofPoints = invariants.filter((invariant) => invariant.ofPoints);
const checks = new WeakMap<Database, () => Promise<void>>();

/** Each invariant of points holds. One is asked again where rows that it reads have changed since it held. */
export async function expectInvariants(database: Database): Promise<void> {
  const check = checks.get(database);
  if (!check) throw new Error("Invariants are checked in products of openTestClub.");
  await check();
}

/** Makes `expectInvariants` possible until the file ends, on a connection of its own: it plans each query once. */
export function openInvariants(database: Database, databaseUrl: string): void {
  let open: pg.Client | undefined;
  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: databaseUrl });
    // A test may end the connections to its database.
    client.on("error", () => {
      open = undefined;
    });
    await client.connect();
    open = client;
    return client;
  }
  afterAll(() => open?.end());
  /** The state of its tables when each invariant was last found to hold. */
  const held = new Map<number, string>();

  checks.set(database, async () => {
    const client = open ?? (await connect());
    tablesRead ??= await readTables(client);
    const tables = tablesRead;
    const states = await readStates(client, [...new Set([...tables.values()].flat())].sort());
    const found: { number: number; name: string; rows: number | undefined }[] = [];
    for (const invariant of ofPoints) {
      const { number, name } = invariant;
      const state = (tables.get(number) ?? []).map((table) => states[table]).join();
      if (held.get(number) === state) continue;
      const rows = await countRows(client, invariant);
      if (rows === 0) held.set(number, state);
      else found.push({ number, name, rows });
    }
    expect(found).toEqual([]);
  });
}

async function countRows(client: pg.Client, { number, violations }: Invariant): Promise<number | undefined> {
  const text = `select count(*)::integer as rows from (${violations}) v`;
  return (await client.query<{ rows: number }>({ name: `invariant ${number}`, text })).rows[0]?.rows;
}

/**
 * What tells any change of a table's rows: how many there are, and the sum of the transactions that wrote them, which is
 * greater for every row that is new or changed.
 */
async function readStates(client: pg.Client, tables: string[]): Promise<Record<string, string>> {
  const stateOf = (table: string) =>
    `(select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) from ${table}) as ${table}`;
  const { rows } = await client.query({ name: "states", text: `select ${tables.map(stateOf).join(", ")}` });
  return rows[0];
}

/** The same in every database of a run. */
let tablesRead: Map<number, string[]> | undefined;

/** The tables that each invariant reads: those that its query names, or a view or function that is named by it, and so on. */
async function readTables(client: pg.Client): Promise<Map<number, string[]>> {
  const { rows } = await client.query<{ name: string; definition: string | null }>(`
    select relname as name, case relkind when 'v' then pg_get_viewdef(oid) end as definition
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
    union all select proname || '(', pg_get_functiondef(oid)
    from pg_proc where pronamespace = 'public'::regnamespace and prokind <> 'a'
    union all select 'pg_trigger', null`);
  /** Every word; one before a parenthesis may be a function's name, too. */
  const namesIn = (text: string) => new Set([...(text.match(/\w+/g) ?? []), ...(text.match(/\w+\(/g) ?? [])]);
  return new Map(
    ofPoints.map(({ number, violations }) => {
      const named = namesIn(violations);
      // A set is walked to its end, with what is added on the way.
      for (const word of named)
        for (const { name, definition } of rows)
          if (name === word) for (const more of namesIn(definition ?? "")) named.add(more);
      return [number, rows.filter(({ name, definition }) => !definition && named.has(name)).map(({ name }) => name)];
    }),
  );
}
