import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { load } from "./load.ts";
import { createProcesses, portOf, postmasterOf } from "./processes.ts";

const { dataFolder, start, clear } = createProcesses();
test.afterAll(clear);

const site = `http://127.0.0.1:${portOf(21)}`;
const metrics = `http://127.0.0.1:${portOf(22)}/metrics`;

/** The processes a process has started. */
const childrenOf = (pid: number | undefined) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

test("two workers on one database: restarted one by one under load, killed and stopped, they lose no request", async () => {
  test.setTimeout(120_000);
  const DATA_DIR = await dataFolder();
  // Its embedded database is a real PostgreSQL; a second app may share it by its address.
  const owner = await start({ DATA_DIR, PORT: String(portOf(20)), RATE_LIMITS: "off" });
  const DATABASE_URL = postmasterOf(DATA_DIR).url;
  const several = {
    ...{ PORT: String(portOf(21)), METRICS_PORT: String(portOf(22)), WORKERS: "2", RATE_LIMITS: "off" },
    ...{ DATABASE_URL, SANDBOX: "on" },
  };
  const workers = await start(several);
  expect(workers.words()).toContain("(2 workers)");
  const before = childrenOf(workers.child.pid);
  expect(before).toHaveLength(2);

  const under = load(site);
  for (const [n, pid] of before.entries()) {
    process.kill(pid, "SIGTERM");
    // The newcomer must be taking its share before its neighbour goes.
    await expect.poll(() => workers.words().match(/took its place/g)?.length, { timeout: 40_000 }).toBe(n + 1);
  }
  expect(childrenOf(workers.child.pid).filter((pid) => before.includes(pid))).toEqual([]);
  const between = childrenOf(workers.child.pid);
  workers.child.kill("SIGHUP");
  await expect
    .poll(() => childrenOf(workers.child.pid).filter((pid) => between.includes(pid)).length, { timeout: 40_000 })
    .toBe(0);
  const { answered, failed } = await under.stop();
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThan(100);

  const told = await (await fetch(metrics)).text();
  expect(told).toMatch(
    /cercle_request_seconds_count\{method="GET",route="GET \/api\/loyalty\/programme",status="200"\}/,
  );
  expect(told).toMatch(/cercle_database_connections\{state="open"\} \d/);

  const [killed = 0] = childrenOf(workers.child.pid);
  process.kill(killed, "SIGKILL");
  await expect
    .poll(() => childrenOf(workers.child.pid).filter((pid) => pid !== killed).length, { timeout: 20_000 })
    .toBe(2);
  await expect.poll(async () => (await fetch(`${site}/readyz`)).status).toBe(200);

  workers.child.kill("SIGTERM");
  expect(await workers.ended).toBe(0);
  owner.child.kill("SIGTERM");
  expect(await owner.ended).toBe(0);
});

test("a setting no worker can use stops them all with one line", async () => {
  const DATA_DIR = await dataFolder();
  const taken = String(portOf(23));
  const owner = await start({ DATA_DIR, PORT: taken });
  const several = { PORT: taken, WORKERS: "2", DATABASE_URL: postmasterOf(DATA_DIR).url, SANDBOX: "on" };
  const workers = await start(several);
  expect(await workers.ended).toBe(1);
  expect(workers.words()).toContain(`The setting PORT cannot be used: ${taken} is taken`);
  owner.child.kill("SIGTERM");
  expect(await owner.ended).toBe(0);
});
