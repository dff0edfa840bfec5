import { runCommand } from "#commands/command.server.ts";
import { grantPoints } from "./grant-points.server.ts";

/** `npm run grant -- EMAIL POINTS CAUSE` */
await runCommand(async ({ database, settings }) => {
  const context = { now: new Date(), publicUrl: settings.publicUrl.origin };
  console.log(await grantPoints(database, process.argv.slice(2), context));
});
