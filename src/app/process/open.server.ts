import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { readSettings, settingWarnings } from "#app/settings.server.ts";
import { seedProgramme } from "#loyalty/programme/programme.server.ts";
import { endSandboxOffice } from "#office/sandbox-office.server.ts";
import { closeDatabase, errorCode, openDatabase, unavailableRefusal } from "#platform/database/database.server.ts";
import { migrate, productSchema } from "#platform/database/migrations/migrate.server.ts";
import { startPostgres } from "#platform/database/postgres/postgres.server.ts";
import { refuseSharedConnections } from "#platform/database/shared-connections.server.ts";
import { createLog, type Log } from "#platform/log.server.ts";

const retryMs = 1_000;
const wordsEveryMs = 10_000;

/** What every entry point needs: settings, log and a migrated database. */
export async function open(environment: Record<string, string | undefined>, release: string) {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const settings = readSettings(environment);
  const log = createLog(settings.logLevel, undefined, release);
  for (const words of settingWarnings(environment)) log.warn(words);
  const embedded = settings.databaseUrl
    ? undefined
    : await startPostgres({ dataDir: settings.dataDir, onFault: (message) => log.error(message) });
  if (embedded) log.info({ dataDir: embedded.dataDir, bufferMb: embedded.bufferMb }, "embedded database");
  const databaseUrl = settings.databaseUrl ?? embedded?.url ?? "";
  const { connections, otlpEndpoint, replicaUrl } = settings;
  const traced = otlpEndpoint !== undefined;
  const database = openDatabase(databaseUrl, { connections, traced });
  const replica = replicaUrl ? openDatabase(replicaUrl, { connections, traced }) : undefined;
  async function stop() {
    await closeDatabase(database);
    if (replica) await closeDatabase(replica);
    await embedded?.stop();
  }
  await whenAvailable(log, async () => {
    if (!embedded) await refuseSharedConnections(databaseUrl);
    await migrate(databaseUrl, productSchema, (words) => log.warn(words));
    await seedProgramme(database);
    if (!settings.sandbox) await endSandboxOffice(database, new Date());
  }).catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    settings,
    log,
    database,
    replica,
    /** Where the embedded database keeps its files, when that is not where the settings asked. */
    movedTo: embedded && embedded.dataDir !== settings.dataDir ? embedded.dataDir : undefined,
    stop,
  };
}

/** Tries again while the database is away: a machine may start before its database, or during a failover. */
async function whenAvailable(log: Log, work: () => Promise<void>): Promise<void> {
  for (let logAt = 0; ; await sleep(retryMs)) {
    try {
      return await work();
    } catch (error) {
      if (!unavailableRefusal(error)) throw error;
      if (Date.now() < logAt) continue;
      logAt = Date.now() + wordsEveryMs;
      log.warn({ reason: reasonOf(error) }, "The database is not available; trying again every second.");
    }
  }
}

/** Nothing personal is asked before the start is complete. */
const reasonOf = (error: unknown) => errorCode(error) ?? (error instanceof Error ? error.message : "unknown");
