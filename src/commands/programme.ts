import { runCommand } from "./command.server.ts";
import { manageProgramme } from "./manage-programme.server.ts";

/** `npm run programme -- export FILE | import FILE [--publish]` */
await runCommand(async ({ database }) => {
  console.log(await manageProgramme(database, process.argv.slice(2), new Date()));
});
