import { runCommand } from "#commands/command.server.ts";
import { moveCommand } from "./move-command.server.ts";

/** `npm run move -- check|rehearse|commit FOLDER`, `report RUN`, `export FOLDER` */
await runCommand(async ({ database }) => {
  const equal = await moveCommand(database, process.argv.slice(2), {
    print: (line) => console.log(line),
    now: () => new Date(),
  });
  if (!equal) process.exitCode = 1;
});
