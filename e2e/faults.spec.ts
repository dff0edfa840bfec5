import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";

test("app and database killed in the middle of writes: nothing acknowledged is lost or doubled", async () => {
  test.setTimeout(180_000);
  const plan = ["--kills", "3", "--database-kills", "1", "--port", "3241"];
  const { stdout } = await promisify(execFile)(process.execPath, ["dist/server/faults.js", ...plan]);
  expect(stdout).toContain("app killed 3 of 3");
  expect(stdout).toContain("database killed 1 of 1");
  expect(stdout).toContain("Nothing lost, nothing doubled, everything holds.");
});
