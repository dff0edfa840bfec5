import { createHash } from "node:crypto";
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

/** The file of a migration is not the one that was applied. Its message is for the operator. */
export class ChangedMigration extends Error {}

/** This role lacks the rights to change the schema. Its message is for the operator. */
export class MayNotMigrate extends Error {}

/** Advisory locks: the first is held by the process that migrates, the second by older releases as well. */
const processLock = 0x43_45_52_45;
const migrationLock = 0x43_45_52_44;
const lockPollMs = 100;
/** Whoever waits for the lock says so, and again now and then. */
const firstWordMs = 2_000;
const wordsEveryMs = 30_000;
/** A statement that waits for its table blocks every query behind it: it times out soon and is retried. */
const lockTimeoutMs = 1_000;
const retryPauseMs = 500;
const retryMinutes = 10;
const lockNotAvailable = "55P03";
const insufficientPrivilege = "42501";

/**
 * Brings the schema up to date and returns what it applied. With nothing to apply, a role without any right to change the
 * schema may call it. Any number of processes may start at once: one migrates, the others wait. The
 * previous release keeps serving meanwhile, delayed by a second at most.
 */
export async function migrate(
  url: string,
  wanted: Migrations = migrations,
  onWait: (words: string) => void = () => {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: "cercle migration" });
  // A lost connection fails the query that is running; without a listener Node would exit.
  client.on("error", () => {});
  await client.connect();
  try {
    await takeLock(client, processLock, onWait);
    await takeLock(client, migrationLock, onWait);
    const applied = await readApplied(client);
    const changed = wanted.filter((one) => (applied.get(one.name) ?? checksum(one)) !== checksum(one));
    if (changed.length > 0)
      throw new ChangedMigration(
        `A migration was changed after it was applied: ${changed.map(({ name }) => name).join(", ")}. Restore the file; a change needs a new migration.`,
      );
    const pending = wanted.filter(({ name }) => !applied.has(name));
    await mayChange(pending, async () => {
      await prepareTable(client);
      for (const migration of wanted)
        if (!applied.has(migration.name)) await apply(client, migration, onWait);
        else if (applied.get(migration.name) === null) await fillChecksum(client, migration);
      await prepareJobQueue(url);
    });
    return pending.map(({ name }) => name);
  } finally {
    // Ending the connection frees the lock, whatever happened.
    await client.end();
  }
}

/** A role that may not change the schema is told what is missing, and who may. */
async function mayChange(pending: Migrations, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (errorCode(error) !== insufficientPrivilege) throw error;
    const what = pending.map(({ name }) => name).join(", ") || "the tables of the job queue";
    throw new MayNotMigrate(
      `This role may not change the schema, and ${what} is pending: run the command migrate first.`,
    );
  }
}

/**
 * Polls instead of waiting in PostgreSQL: a session that waits inside a statement has a snapshot, and `create index
 * concurrently` waits until such sessions are gone. The lock's owner and the waiting process would deadlock.
 */
async function takeLock(client: pg.Client, lock: number, onWait: (words: string) => void): Promise<void> {
  for (let speakAt = Date.now() + firstWordMs; ; await sleep(lockPollMs)) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [lock]);
    if (rows[0]?.taken) return;
    if (Date.now() < speakAt) continue;
    speakAt = Date.now() + wordsEveryMs;
    onWait(`Waiting for the migration lock, which ${await holderOf(client, lock)} holds.`);
  }
}

/** Who to look for when the wait does not end: `select pg_terminate_backend(PID)` frees a lock that was left behind. */
async function holderOf(client: pg.Client, lock: number): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string }>(
    `select l.pid, coalesce(a.application_name, '') as name from pg_locks l left join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.objid = $1
     and l.database = (select oid from pg_database where datname = current_database())`,
    [lock],
  );
  return rows.map(({ pid, name }) => `"${name}" with the backend pid ${pid}`).join(" and ") || "somebody";
}

async function prepareTable(client: pg.Client): Promise<void> {
  // Asked first, because a role that may not create tables may not even where there is nothing to create.
  if (!(await hasTable(client)))
    await client.query(
      "create table migration (name text primary key, applied_at timestamptz not null default now(), checksum text)",
    );
  // Asked first, because even an `alter table` that has nothing to add waits for whoever reads the table, a backup for
  // example. Nullable, because older releases insert rows without it.
  const { rowCount } = await client.query(
    "select from pg_attribute where attrelid = 'migration'::regclass and attname = 'checksum' and not attisdropped",
  );
  if (rowCount === 0)
    await retry(() => inTransaction(client, ["alter table migration add column if not exists checksum text"]));
}

async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>("select to_regclass('migration') is not null as has");
  return rows[0]?.has ?? false;
}

/** The checksum of each applied migration; null where an older release applied it. */
async function readApplied(client: pg.Client): Promise<Map<string, string | null>> {
  if (!(await hasTable(client))) return new Map();
  // An older release's table has no such column.
  const { rows } = await client.query<{ name: string; checksum: string | null }>(
    "select name, to_jsonb(migration) ->> 'checksum' as checksum from migration",
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** Line endings do not count: a checkout on Windows may have converted them. */
function checksum({ statements }: Migrations[number]): string {
  return createHash("sha256").update(statements.replaceAll("\r\n", "\n")).digest("hex");
}

async function fillChecksum(client: pg.Client, migration: Migrations[number]): Promise<void> {
  const values = [migration.name, checksum(migration)];
  await client.query("update migration set checksum = $2 where name = $1 and checksum is null", values);
}

/**
 * Each in a transaction, unless its first line is `-- no transaction`, as `create index concurrently` needs. Then the
 * statements run one by one, and all of them again after a failure or a kill half-way, so each must be repeatable. A
 * concurrent build that fails leaves an invalid index behind, which the pattern drops first:
 *
 *     drop index concurrently if exists mail_sent;
 *     create index concurrently mail_sent on mail (sent_at);
 *
 * The migration is recorded only after all have succeeded.
 */
async function apply(client: pg.Client, migration: Migrations[number], onWait: (words: string) => void): Promise<void> {
  const text = "insert into migration (name, checksum) values ($1, $2)";
  const record = { text, values: [migration.name, checksum(migration)] };
  if (!/^-- no transaction\b/.test(migration.statements))
    return retry(() => inTransaction(client, [migration.statements, record]));
  // Older releases do wait for this lock inside a statement.
  await client.query("select pg_advisory_unlock($1)", [migrationLock]);
  await retry(async (giveUpAt) => {
    for (const statement of splitStatements(migration.statements)) {
      // A concurrent build blocks no reads or writes while it waits for older transactions, and a timeout throws away
      // the work done so far: it may wait for as long as there are retries.
      const timeoutMs = /\bconcurrently\b/i.test(statement) ? giveUpAt - Date.now() : lockTimeoutMs;
      await client.query(`set lock_timeout = ${Math.max(timeoutMs, lockTimeoutMs)}`);
      await client.query(statement);
    }
    await client.query(record);
  });
  await client.query("reset lock_timeout");
  await takeLock(client, migrationLock, onWait);
}

async function inTransaction(client: pg.Client, queries: (string | pg.QueryConfig)[]): Promise<void> {
  try {
    await client.query("begin");
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    for (const query of queries) await client.query(query);
    await client.query("commit");
  } catch (error) {
    // On a lost connection this fails too; the first error says why.
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/** Tries again after a lock timeout. */
async function retry(attempt: (giveUpAt: number) => Promise<void>): Promise<void> {
  for (const giveUpAt = Date.now() + retryMinutes * 60_000; ; await sleep(retryPauseMs)) {
    try {
      return await attempt(giveUpAt);
    } catch (error) {
      if (errorCode(error) !== lockNotAvailable || Date.now() > giveUpAt) throw error;
    }
  }
}

/** Splits at each semicolon outside of comments, quotes and dollar quotes. */
export function splitStatements(statements: string): string[] {
  const tokens = statements.matchAll(/--.*|\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|[\s\S]/g);
  const split = [""];
  for (const [token] of tokens) {
    if (token === ";") split.push("");
    else if (!/^(--|\/\*)/.test(token)) split[split.length - 1] += token;
  }
  return split.map((statement) => statement.trim()).filter(Boolean);
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
