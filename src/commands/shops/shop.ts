import { runCommand } from "#commands/command.server.ts";
import { manageShops } from "./manage-shops.server.ts";

/** `npm run shop -- add|key|rotate|revoke …` */
await runCommand(async ({ database }) => {
  for (const line of await manageShops(database, process.argv.slice(2), new Date())) console.log(line);
});
