import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { seedProgramme } from "#loyalty/programme/programme.server.ts";
import { type Database, openDatabase } from "#platform/database/database.server.ts";
import { migrate } from "#platform/database/migrations/migrate.server.ts";
import { startPostgres } from "#platform/database/postgres/postgres.server.ts";

const template = "cercle";

export interface Fresh {
  database: Database;
  /** A plain pool on the same database, for whatever the product is measured against. */
  pool: pg.Pool;
}

/** Opens a database with the programme in it, or an empty one. */
export type OpenFresh = (options?: { empty?: boolean }) => Promise<Fresh>;

/** A temporary PostgreSQL cluster; each measurement gets databases of its own. */
export async function withCluster(work: (fresh: OpenFresh) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "cercle-bench-"));
  // Run as root, the database belongs to another user, who must be able to enter.
  chmodSync(dataDir, 0o755);
  const postgres = await startPostgres({ dataDir, database: template });
  const opened: pg.Pool[] = [];
  try {
    await migrate(postgres.url);
    const first = openDatabase(postgres.url);
    await seedProgramme(first);
    await first.$client.end();
    await work(async ({ empty = false } = {}) => {
      const name = `bench_${opened.length}`;
      await onCluster(postgres.url, `create database ${name} template ${empty ? "template1" : template}`);
      const url = postgres.url.replace(`/${template}?`, `/${name}?`);
      const database = openDatabase(url);
      const pool = new pg.Pool({ connectionString: url, max: 10 });
      // The server may stop before the last connection is closed.
      pool.on("error", () => {});
      pool.on("connect", (client) => client.on("error", () => {}));
      opened.push(database.$client, pool);
      return { database, pool };
    });
  } finally {
    for (const pool of opened) await pool.end();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function onCluster(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(`/${template}?`, "/postgres?") });
  await client.connect();
  await client.query(statement);
  await client.end();
}
