import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { seedProgramme } from "#loyalty/programme/programme.server.ts";
import { openDatabase } from "#platform/database/database.server.ts";
import { migrate } from "#platform/database/migrate.server.ts";
import { startPostgres } from "#platform/database/postgres.server.ts";

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
  await seedProgramme(database);
  await database.$client.end();
  project.provide("clusterUrl", postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
