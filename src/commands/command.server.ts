import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { operatorEnvironment } from "#app/environment.server.ts";
import { operatorLine } from "#app/process/operator-line.server.ts";
import { readSettings, type Settings } from "#app/settings.server.ts";
import "#app/text-numbers.server.ts";
import { seedProgramme } from "#loyalty/programme/programme.server.ts";
import {
  closeDatabase,
  type Database,
  errorCode,
  openDatabase,
  unavailableRefusal,
} from "#platform/database/database.server.ts";
import { migrate, productSchema } from "#platform/database/migrations/migrate.server.ts";
import { startPostgres, urlOfRunning } from "#platform/database/postgres/postgres.server.ts";

/** An expected refusal, printed to the operator as one line; anything else that is thrown is a fault. */
export class CommandRefused extends Error {}

const noDatabase = "3D000";

/** Waits for the database: an app that is just starting creates it a moment after its server. Refused after the timeout. */
export async function waitForDatabase(url: string, timeoutMs = 15_000): Promise<void> {
  for (const giveUpAt = Date.now() + timeoutMs; ; await sleep(100)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
    try {
      await client.connect();
      return;
    } catch (error) {
      const unavailable = errorCode(error) === noDatabase || unavailableRefusal(error);
      if (!unavailable) throw error;
      if (Date.now() > giveUpAt)
        throw new CommandRefused("The database is not there: is DATABASE_URL right, and is it up?");
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/**
 * Runs a command against the product's database, beside a running app or without one: the configured database,
 * else the embedded one of an app that is up, else the embedded one started for as long as the command takes.
 */
export async function runCommand(work: (deps: { database: Database; settings: Settings }) => Promise<void>) {
  let close = async () => {};
  try {
    const settings = readSettings(operatorEnvironment(), { serves: false });
    const running = settings.databaseUrl ?? (await urlOfRunning(settings.dataDir).catch(() => undefined));
    const embedded = running ? undefined : await startPostgres({ dataDir: settings.dataDir });
    close = async () => embedded?.stop();
    const url = running ?? embedded?.url ?? "";
    if (running) await waitForDatabase(url);
    await migrate(url, productSchema, (words) => console.error(words));
    const database = openDatabase(url, { connections: 4 });
    close = async () => {
      await closeDatabase(database);
      await embedded?.stop();
    };
    await seedProgramme(database);
    await work({ database, settings });
  } catch (error) {
    console.error(error instanceof CommandRefused ? error.message : (operatorLine(error) ?? error));
    process.exitCode = 1;
  } finally {
    await close();
  }
}
