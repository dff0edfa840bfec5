import { existsSync } from "node:fs";
import { seedProgramme } from "#loyalty/programme/programme.server.ts";
import { endSandboxOffice } from "#office/sandbox-office.server.ts";
import { closeDatabase, openDatabase } from "#platform/database/database.server.ts";
import { migrate } from "#platform/database/migrate.server.ts";
import { startPostgres } from "#platform/database/postgres.server.ts";
import { createLog } from "#platform/log.server.ts";
import { readSettings } from "./settings.server.ts";

/** What every entry point needs: settings, log and a migrated database. */
export async function open(environment: Record<string, string | undefined>) {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const settings = readSettings(environment);
  const log = createLog(settings.logLevel);
  const embedded = settings.databaseUrl
    ? undefined
    : await startPostgres({ dataDir: settings.dataDir, onFault: (message) => log.error(message) });
  if (embedded) log.info({ dataDir: embedded.dataDir, bufferMb: embedded.bufferMb }, "embedded database");
  const databaseUrl = settings.databaseUrl ?? embedded?.url ?? "";
  await migrate(databaseUrl).catch(async (error) => {
    await embedded?.stop();
    throw error;
  });
  const database = openDatabase(databaseUrl);
  await seedProgramme(database);
  if (!settings.sandbox) await endSandboxOffice(database, new Date());
  return {
    settings,
    log,
    database,
    /** Where the embedded database keeps its files, when that is not where the settings asked. */
    movedTo: embedded && embedded.dataDir !== settings.dataDir ? embedded.dataDir : undefined,
    async stop() {
      await closeDatabase(database);
      await embedded?.stop();
    },
  };
}
