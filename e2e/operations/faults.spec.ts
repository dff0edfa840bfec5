import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { createProcesses, portOf } from "../support/processes.ts";

const { dataFolder, clear } = createProcesses();
test.afterAll(clear);

/** Runs `npm run faults` with so many of each fault, none where nothing is said, and answers with what it told. */
async function faults(plan: Record<string, string>): Promise<string> {
  const none = { kills: "0", "database-kills": "0", "full-disks": "0", failovers: "0" };
  const args = Object.entries({ ...none, ...plan, from: await dataFolder() }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ]);
  const run = promisify(execFile)(process.execPath, ["dist/server/faults.js", ...args]);
  const { stdout } = await run.catch((error) => {
    // Node tells what was written about errors, not the verdict.
    throw Object.assign(error, { message: `${error.message}\n${error.stdout}` });
  });
  expect(stdout).toContain("Nothing lost, nothing doubled, everything holds.");
  return stdout;
}

test.beforeEach(() => test.setTimeout(300_000));

test("app and database killed in the middle of writes: nothing acknowledged is lost or doubled", async () => {
  const told = await faults({ kills: "1", "database-kills": "1", port: String(portOf(31)) });
  expect(told).toContain("app killed 1 of 1");
  expect(told).toContain("database killed 1 of 1");
});

test("the disk full under tables and log: 503 until there is room, nothing acknowledged is lost", async () => {
  const told = await faults({ "full-disks": "1", port: String(portOf(32)) }).catch((error) => {
    // Ended with 2: this machine lets no one mount. Said in the report, never passed over; outages.test.ts still runs.
    test.skip(error.code === 2, error.stderr);
    throw error;
  });
  expect(told).toContain("disk full for the data 1 of 1");
  expect(told).toContain("disk full for the log 1 of 1");
});

test("the primary lost in the middle of writes: its standby takes over with everything acknowledged", async () => {
  expect(await faults({ failovers: "1", port: String(portOf(33)) })).toContain("standby took over 1 of 1");
});
