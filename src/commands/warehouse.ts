import { resolve } from "node:path";
import { exportWarehouse } from "#warehouse/export.server.ts";
import { describeColumns } from "#warehouse/subjects.server.ts";
import { CommandRefused, runCommand } from "./command.server.ts";

/** `npm run warehouse -- FOLDER`: what was written since the last export into that folder; `columns` prints their table. */
const [folder] = process.argv.slice(2);
if (folder === "columns") console.log(describeColumns());
else
  await runCommand(async ({ database }) => {
    if (!folder) throw new CommandRefused("Usage: npm run warehouse -- FOLDER, or npm run warehouse -- columns");
    const manifest = await exportWarehouse(database, resolve(folder), { now: new Date() });
    if (!manifest) console.log("Nothing was written since the last export.");
    for (const { Subject, Rows } of manifest?.Files ?? []) console.log(`${Subject.padEnd(22)} ${Rows}`);
  });
