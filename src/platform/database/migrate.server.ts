import { setTimeout as sleep } from "node:timers/promises";
import { Logger, runMigrations } from "graphile-worker";
import pg from "pg";
import { errorCode, jobSchema, openDatabase } from "./database.server.ts";

/** By name, in the order in which they are applied. */
export type Migrations = readonly { name: string; statements: string }[];

const files = import.meta.glob<string>("/db/migrations/*.sql", { query: "?raw", import: "default", eager: true });
export const migrations: Migrations = Object.entries(files)
  .map(([path, statements]) => ({ name: path.slice(path.lastIndexOf("/") + 1, -".sql".length), statements }))
  .sort((a, b) => a.name.localeCompare(b.name));

const migrationLock = 0x43_45_52_44;
/** A change that waits for its table keeps everybody behind it waiting: it gives up soon and tries again. */
const lockMs = 1_000;
const pauseMs = 500;
const triesMinutes = 10;
const lockNotAvailable = "55P03";

/**
 * Brings the schema up to date. Any number of processes may start at once: one migrates, the others wait. The
 * previous version goes on answering meanwhile, held up for a second at most.
 */
export async function migrate(url: string, wanted: Migrations = migrations): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "cercle migration" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await client.query(
      "create table if not exists migration (name text primary key, applied_at timestamptz not null default now())",
    );
    const done = await client.query<{ name: string }>("select name from migration");
    const names = new Set(done.rows.map((row) => row.name));
    for (const migration of wanted) if (!names.has(migration.name)) await apply(client, migration);
    await prepareJobQueue(url);
  } finally {
    // Ending the connection frees the lock, whatever happened.
    await client.end();
  }
}

async function apply(client: pg.Client, { name, statements }: Migrations[number]): Promise<void> {
  for (const giveUpAt = Date.now() + triesMinutes * 60_000; ; await sleep(pauseMs)) {
    try {
      await client.query("begin");
      await client.query(`set local lock_timeout = ${lockMs}`);
      await client.query(statements);
      await client.query("insert into migration (name) values ($1)", [name]);
      await client.query("commit");
      return;
    } catch (error) {
      if (errorCode(error) !== lockNotAvailable || Date.now() > giveUpAt) throw error;
      await client.query("rollback");
    }
  }
}

/** The queue's own tables, here and not when a worker starts: a job may be queued before any worker has run. */
async function prepareJobQueue(url: string): Promise<void> {
  const { $client: pool } = openDatabase(url, { connections: 1 });
  try {
    await runMigrations({ pgPool: pool, schema: jobSchema, logger: new Logger(() => () => {}) });
  } finally {
    await pool.end();
  }
}
