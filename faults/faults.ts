import { parseArgs } from "node:util";
import { NoSmallDisk, withOwnDisk } from "./disk.ts";
import { runFaults } from "./run-faults.ts";

/**
 * `npm run faults`: kills the app and its database in the middle of writes, over and over, fills its disk, lets a
 * standby take over, and compares the data with what the clients recorded before and after each write.
 * Exits with 1 when anything acknowledged was lost or doubled, with 2 when a fault could not be tried.
 */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    "database-kills": { type: "string", default: "10" },
    "full-disks": { type: "string", default: "3" },
    failovers: { type: "string", default: "5" },
    disk: { type: "string" },
    from: { type: "string" },
    port: { type: "string", default: "3240" },
  },
});

async function run(): Promise<number> {
  const fullDisks = Number(values["full-disks"]);
  const [node, script, ...args] = process.argv;
  if (fullDisks > 0 && !values.disk && process.getuid?.() !== 0)
    return withOwnDisk(node ?? "node", [script ?? "", ...args]);
  const { faults } = await runFaults({
    kills: Number(values.kills),
    databaseKills: Number(values["database-kills"]),
    fullDisks,
    failovers: Number(values.failovers),
    disk: values.disk,
    from: values.from,
    port: Number(values.port),
    log: (line) => console.log(line),
  });
  return faults.length === 0 ? 0 : 1;
}

process.exitCode = await run().catch((error) => {
  if (!(error instanceof NoSmallDisk)) throw error;
  console.error(error.message);
  return 2;
});
