import pg from "pg";
import { operatorLine } from "#app/process/operator-line.server.ts";
import { readSettings } from "#app/settings.server.ts";
import { CommandRefused } from "#commands/command.server.ts";
import { grantToRuntime } from "#platform/database/grants.server.ts";
import { migrate, productSchema } from "#platform/database/migrations/migrate.server.ts";

/** Migrates with the role of MIGRATION_DATABASE_URL, else of DATABASE_URL. Returns the exit code. */
export async function migrateDatabase(
  environment: Record<string, string | undefined>,
  [role, ...rest]: string[],
  say: (line: string) => void = console.log,
): Promise<number> {
  try {
    if (rest.length > 0) throw new CommandRefused("Usage: migrate [ROLE]");
    const settings = readSettings(environment, { serves: false });
    const url = settings.migrationUrl ?? settings.databaseUrl;
    if (!url)
      throw new CommandRefused("Set MIGRATION_DATABASE_URL or DATABASE_URL: the embedded database migrates itself.");
    const applied = await migrate(url, productSchema, say);
    say(applied.length > 0 ? `Applied: ${applied.join(", ")}.` : "Nothing was pending.");
    if (role === undefined) return 0;
    const client = new pg.Client({ connectionString: url });
    // A lost connection fails the query that is running; without a listener Node would exit.
    client.on("error", () => {});
    await client.connect();
    try {
      await grantToRuntime(client, role);
    } finally {
      await client.end();
    }
    say(`The role ${role} has what the running product needs.`);
    return 0;
  } catch (error) {
    console.error(error instanceof CommandRefused ? error.message : (operatorLine(error) ?? error));
    return 1;
  }
}
