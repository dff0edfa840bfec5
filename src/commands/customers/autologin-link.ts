import { operatorEnvironment } from "#app/environment.server.ts";
import { operatorLine } from "#app/process/operator-line.server.ts";
import { readSettings } from "#app/settings.server.ts";
import { createAutologinLink } from "#identity/sign-in/autologin/autologin.server.ts";
import { closeDatabase, openDatabase } from "#platform/database/database.server.ts";
import { NothingRunning, urlOfRunning } from "#platform/database/postgres/postgres.server.ts";

/** Wrong usage, printed to the operator as one line. */
class BadUse extends Error {}

/** Prints a link that signs a customer in: `npm run autologin-link -- EMAIL`. */
async function printLink(email: string | undefined): Promise<void> {
  if (!email) throw new BadUse("Say whose link: npm run autologin-link -- EMAIL");
  const settings = readSettings(operatorEnvironment(), { serves: false });
  const database = openDatabase(settings.databaseUrl ?? (await urlOfRunning(settings.dataDir)), { connections: 1 });
  try {
    const link = await createAutologinLink(database, settings, email);
    if (!link) throw new BadUse("No registered customer has this address.");
    console.log(link);
  } finally {
    await closeDatabase(database);
  }
}

try {
  await printLink(process.argv[2]);
} catch (error) {
  const own = error instanceof BadUse || error instanceof NothingRunning;
  // A failed query's message holds its values, so only the error's code is printed.
  const { cause, code = "fault" } = error as { cause?: { code?: string }; code?: string };
  console.error(own ? error.message : (operatorLine(error) ?? `The link could not be made: ${cause?.code ?? code}.`));
  process.exitCode = 1;
}
