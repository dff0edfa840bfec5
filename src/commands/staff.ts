import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { createPins } from "#staff/pins.server.ts";
import { runCommand } from "./command.server.ts";
import { manageStaff } from "./manage-staff.server.ts";

/** `npm run staff -- add|invite|pin|card|unlock|end|list …` */
await runCommand(async ({ database, settings }) => {
  const deps = { database, pins: createPins(settings, createPasswordHashes()), settings, now: new Date() };
  for (const line of await manageStaff(deps, process.argv.slice(2))) console.log(line);
});
