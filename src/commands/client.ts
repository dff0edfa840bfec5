import { runCommand } from "./command.server.ts";
import { manageClients } from "./manage-clients.server.ts";

/** `npm run client -- add|list|rotate|disable …` */
await runCommand(async ({ database }) => {
  for (const line of await manageClients(database, process.argv.slice(2))) console.log(line);
});
