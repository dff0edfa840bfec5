import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, runMigrations } from "graphile-worker";
import pg from "pg";
import { installedBrand } from "#brand/brand.server.ts";
import { errorCode, jobSchema, openDatabase } from "#platform/database/database.server.ts";
import { forInstallation, type Installation, installationOf, storeInstallation } from "./installation.server.ts";
import { takeMigrationLock } from "./migration-lock.server.ts";

/** By name, in the order in which they are applied. */
export type Migrations = readonly { name: string; statements: string }[];

const read = (files: Record<string, string>): Migrations =>
  Object.entries(files)
    .map(([path, statements]) => ({ name: path.slice(path.lastIndexOf("/") + 1, -".sql".length), statements }))
    .sort((a, b) => a.name.localeCompare(b.name));
export const migrations = read(
  import.meta.glob<string>("/db/migrations/*.sql", { query: "?raw", import: "default", eager: true }),
);
const functions = inCallOrder(
  read(import.meta.glob<string>("/db/functions/*.sql", { query: "?raw", import: "default", eager: true })),
);

/** What a database is brought up to. */
export interface Schema {
  migrations: Migrations;
  functions: Migrations;
}
export const productSchema: Schema = { migrations, functions };

/** A function whose body PostgreSQL reads when it is created comes after those that it calls. */
function inCallOrder(texts: Migrations): Migrations {
  const ordered = new Set<Migrations[number]>();
  const seen = new Set<Migrations[number]>();
  const add = (text: Migrations[number]) => {
    if (seen.has(text)) return;
    seen.add(text);
    const called = new Set([...text.statements.matchAll(/\b(\w+)\s*\(/g)].map(([, name]) => name));
    for (const other of texts) if (called.has(other.name)) add(other);
    ordered.add(text);
  };
  texts.forEach(add);
  return [...ordered];
}

/** The file of a migration is not the one that was applied. Its message is for the operator. */
export class ChangedMigration extends Error {}

/** The database is of a time before the first release. Its message is for the operator. */
export class UnknownDatabase extends Error {}

/** This role lacks the rights to change the schema. Its message is for the operator. */
export class MayNotMigrate extends Error {}

/** A statement that waits for its table blocks every query behind it: it times out soon and is retried. */
const lockTimeoutMs = 1_000;
const retryPauseMs = 500;
const retryMinutes = 10;
const lockNotAvailable = "55P03";
const insufficientPrivilege = "42501";

/**
 * Brings the schema and its functions up to date and returns what it applied. With nothing to apply, a role without any right
 * to change the schema may call it. Any number of processes may start at once: one migrates, the others wait. The
 * previous release keeps serving meanwhile, delayed by a second at most.
 */
export async function migrate(
  url: string,
  schema: Schema = productSchema,
  onWait: (message: string) => void = () => {},
  brand: Installation = installedBrand(),
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: "cercle migration" });
  // A lost connection fails the query that is running; without a listener Node would exit.
  client.on("error", () => {});
  await client.connect();
  try {
    await takeMigrationLock(client, onWait);
    const applied = await readApplied(client);
    refuseUnknown(applied, schema.migrations);
    const isStored = await hasTable(client, "installation");
    const installation = await installationOf(client, brand, { isNew: applied.size === 0, isStored });
    const functions = schema.functions.map((text) => forInstallation(text, installation));
    const pending = schema.migrations.filter(({ name }) => !applied.has(name));
    const newFunctions = await readNewFunctions(client, functions);
    const names = [...pending, ...newFunctions].map(({ name }) => name);
    await mayChange(names, async () => {
      await prepareTables(client);
      if (!isStored) await inTransaction(client, () => storeInstallation(client, installation));
      for (const migration of pending) await apply(client, migration, functions);
      await applyFunctions(client, functions);
      await prepareJobQueue(url);
    });
    return names;
  } finally {
    // Ending the connection frees the lock, whatever happened.
    await client.end();
  }
}

function refuseUnknown(applied: Map<string, string>, wanted: Migrations): void {
  const [first] = wanted;
  if (applied.size > 0 && first && !applied.has(first.name))
    throw new UnknownDatabase(
      `This database was made before the first release, whose schema begins with ${first.name}: start with an empty database.`,
    );
  const changed = wanted.filter((one) => (applied.get(one.name) ?? checksum(one)) !== checksum(one));
  if (changed.length > 0)
    throw new ChangedMigration(
      `A migration was changed after it was applied: ${changed.map(({ name }) => name).join(", ")}. Restore the file; a change needs a new migration.`,
    );
}

/** A role that may not change the schema is told what is missing, and who may. */
async function mayChange(pending: string[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (errorCode(error) !== insufficientPrivilege) throw error;
    const what = pending.join(", ") || "the tables of the job queue";
    throw new MayNotMigrate(
      `This role may not change the schema, and ${what} is pending: run the command migrate first.`,
    );
  }
}

/** Asked first, because a role that may not create tables may not even where there is nothing to create. */
async function prepareTables(client: pg.Client): Promise<void> {
  if (await hasTable(client, "function_text")) return;
  await client.query(`
    create table if not exists migration (
      name text primary key, applied_at timestamptz not null default now(), checksum text not null);
    create table function_text (name text primary key, checksum text not null);
    create table function_set (checksum text primary key, applied_at timestamptz not null default now())`);
}

async function hasTable(client: pg.Client, name: "migration" | "function_text" | "installation"): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>("select to_regclass($1) is not null as has", [name]);
  return rows[0]?.has ?? false;
}

/** The checksum of each applied migration. */
async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  if (!(await hasTable(client, "migration"))) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>("select * from migration");
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/**
 * The functions whose text differs from the database's. A set of texts that was applied before is of a release that starts
 * again while a newer one runs: the newer texts stay.
 */
async function readNewFunctions(client: pg.Client, wanted: Migrations): Promise<Migrations> {
  if (!(await hasTable(client, "function_text"))) return wanted;
  const known = await client.query("select from function_set where checksum = $1", [setChecksum(wanted)]);
  if (known.rowCount === 1) return [];
  const { rows } = await client.query<{ name: string; checksum: string }>("select * from function_text");
  const current = new Map(rows.map((row) => [row.name, row.checksum]));
  return wanted.filter((text) => current.get(text.name) !== checksum(text));
}

const setChecksum = (texts: Migrations) =>
  checksum({ name: "", statements: texts.map((text) => `${text.name} ${checksum(text)}`).join("\n") });

/** Line endings do not count: a checkout on Windows may have converted them. */
function checksum({ statements }: Migrations[number]): string {
  return createHash("sha256").update(statements.replaceAll("\r\n", "\n")).digest("hex");
}

/**
 * Each in a transaction, unless its first line is `-- no transaction`, as `create index concurrently` needs. Then the
 * statements run one by one, and all of them again after a failure or a kill half-way, so each must be repeatable. A
 * concurrent build that fails leaves an invalid index behind, which the pattern drops first:
 *
 *     drop index concurrently if exists mail_sent;
 *     create index concurrently mail_sent on mail (sent_at);
 *
 * The migration is recorded only after all have succeeded. Where a line is `-- functions`, the functions are brought up to
 * date: what follows may use new ones, as a trigger does.
 */
async function apply(client: pg.Client, migration: Migrations[number], texts: Migrations): Promise<void> {
  const text = "insert into migration (name, checksum) values ($1, $2)";
  const record = { text, values: [migration.name, checksum(migration)] };
  if (!/^-- no transaction\b/.test(migration.statements))
    return retry(() =>
      inTransaction(client, async () => {
        for (const [index, part] of migration.statements.split(/^-- functions$/m).entries()) {
          if (index > 0) await replaceFunctions(client, texts);
          await client.query(part);
        }
        await client.query(record);
      }),
    );
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
}

const applyFunctions = (client: pg.Client, texts: Migrations) =>
  retry(() => inTransaction(client, () => replaceFunctions(client, texts)));

/** Replaces the functions whose text has changed, and records the set. */
async function replaceFunctions(client: pg.Client, texts: Migrations): Promise<void> {
  const changed = await readNewFunctions(client, texts);
  if (changed.length === 0) return;
  // A function may be created before one that it calls.
  await client.query("set local check_function_bodies = off");
  for (const text of changed) {
    await client.query(text.statements);
    await client.query(
      "insert into function_text values ($1, $2) on conflict (name) do update set checksum = excluded.checksum",
      [text.name, checksum(text)],
    );
  }
  await client.query("insert into function_set (checksum) values ($1)", [setChecksum(texts)]);
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  try {
    await client.query("begin");
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await work();
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
