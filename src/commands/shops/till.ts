import { runCommand } from "#commands/command.server.ts";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { createPins } from "#staff/pins.server.ts";
import { manageTills } from "./manage-tills.server.ts";

/** `npm run till -- pair|list|revoke …` */
await runCommand(async ({ database, settings }) => {
  const deps = { database, pins: createPins(settings, createPasswordHashes()), now: new Date() };
  for (const line of await manageTills(deps, process.argv.slice(2))) console.log(line);
});
