import { operatorEnvironment } from "#app/environment.server.ts";
import { migrateDatabase } from "./migrate-database.server.ts";

/** `migrate [ROLE]`: brings the schema up to date and gives ROLE what the running product needs. */
process.exitCode = await migrateDatabase(operatorEnvironment(), process.argv.slice(2));
