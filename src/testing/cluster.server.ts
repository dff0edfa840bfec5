import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { readSettings } from "#app/settings.server.ts";
import { seedProgramme } from "#loyalty/programme/programme.server.ts";
import { openWallets } from "#loyalty/wallet/wallets.server.ts";
import { closeDatabase, type Database, openDatabase } from "#platform/database/database.server.ts";
import { migrate } from "#platform/database/migrations/migrate.server.ts";
import { startPostgres } from "#platform/database/postgres/postgres.server.ts";
import { createSigningKey } from "#sandbox/keys.server.ts";

declare module "vitest" {
  interface ProvidedContext {
    clusterUrl: string;
  }
}

export const templateDatabase = "cercle_template";

/** One PostgreSQL for the whole run; each test file copies the template. */
export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), "cercle-test-"));
  // Run as root, the database belongs to another user, who must be able to enter.
  chmodSync(dataDir, 0o755);
  const postgres = await startPostgres({ dataDir, database: templateDatabase, durable: false });
  await migrate(postgres.url);
  const database = openDatabase(postgres.url);
  // Points arrive at once, unless a test publishes a version in which they are pending.
  await seedProgramme(database, { pendingDays: 0 });
  await makeSandboxKeys(database);
  await closeDatabase(database);
  await refuseConnections(postgres.url);
  project.provide("clusterUrl", postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** While anyone is connected to a database it cannot be copied. */
async function refuseConnections(templateUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: templateUrl.replace(templateDatabase, "postgres") });
  await client.connect();
  await client.query(`alter database ${templateDatabase} allow_connections false`);
  await client.end();
}

/** The product makes them at their first use. An RSA key takes half a second, so every copy has them already. */
async function makeSandboxKeys(database: Database): Promise<void> {
  const wallets = openWallets({ settings: readSettings({}), database, fetch });
  const signingKeys = ["google", "facebook"].map((name) => createSigningKey(database, name)());
  await Promise.all([wallets.google(), wallets.apple(), ...signingKeys]);
}
