import { parseArgs } from "node:util";
import { runFaults } from "./faults.server.ts";

/**
 * `npm run faults`: kills the app and its database in the middle of writes, over and over, and judges what is left
 * by what a client noted before and after each write. Ends with 1 when anything acknowledged was lost or doubled.
 */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    "database-kills": { type: "string", default: "10" },
    port: { type: "string", default: "3240" },
  },
});

const verdict = await runFaults({
  kills: Number(values.kills),
  databaseKills: Number(values["database-kills"]),
  port: Number(values.port),
  tell: (line) => console.log(line),
});
process.exitCode = verdict.faults.length === 0 ? 0 : 1;
