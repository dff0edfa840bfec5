import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { openBalancer } from "../support/balancer.ts";
import { load } from "../support/load.ts";
import { createProcesses, portOf } from "../support/processes.ts";

const { folder, dataFolder, start, clear } = createProcesses();

// In one worker: the product whose database the others share is started once.
test.describe.configure({ mode: "default" });
let DATABASE_URL = "";
test.beforeAll(async () => {
  // Its embedded database is a real PostgreSQL; a second app may share it by its address.
  const owner = await start({ DATA_DIR: await dataFolder(), PORT: String(portOf(20)), RATE_LIMITS: "off" });
  DATABASE_URL = owner.postmaster().url;
});
test.afterAll(clear);

const site = `http://127.0.0.1:${portOf(21)}`;
const metrics = `http://127.0.0.1:${portOf(22)}/metrics`;

/** The processes a process has started. */
const childrenOf = (pid: number | undefined) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

/** Two releases of this build beside each other, and a link to the one in use, as an operator has them. */
function releases() {
  const home = folder();
  symlinkSync(resolve("node_modules"), join(home, "node_modules"));
  for (const commit of ["first", "second"]) {
    mkdirSync(join(home, commit));
    cpSync("dist", join(home, commit, "dist"), { recursive: true });
    writeFileSync(join(home, commit, "dist/release.json"), JSON.stringify({ version: "1.0.0", commit }));
  }
  const link = join(home, "current");
  return {
    start: join(link, "dist/server/start.js"),
    use(commit: string): void {
      rmSync(link, { force: true });
      symlinkSync(commit, link);
    },
  };
}

const releaseOf = async () => (await (await fetch(`${site}/healthz`)).json()).release;
const requests =
  /^cercle_request_seconds_count\{method="GET",route="GET \/api\/loyalty\/programme",status="200"\} (\d+)$/m;
const requestsCounted = async () => Number(requests.exec(await (await fetch(metrics)).text())?.[1]);

test("two workers on one database: restarted one by one under load, killed and stopped, they lose no request", async () => {
  test.setTimeout(300_000);
  const several = {
    ...{ PORT: String(portOf(21)), METRICS_PORT: String(portOf(22)), WORKERS: "2", RATE_LIMITS: "off" },
    ...{ DATABASE_URL, SANDBOX: "on" },
  };
  const release = releases();
  release.use("first");
  const workers = await start(several, [process.execPath, release.start]);
  expect(workers.words()).toContain("(1.0.0+first) (2 workers)");
  const before = childrenOf(workers.child.pid);
  expect(before).toHaveLength(2);

  const under = load(site);
  const [asked = 0, other = 0] = before;
  process.kill(asked, "SIGTERM");
  // The newcomer must be taking its share before its neighbour goes.
  await expect.poll(() => workers.words().match(/took its place/g)?.length, { timeout: 120_000 }).toBe(1);
  expect(childrenOf(workers.child.pid).filter((pid) => before.includes(pid))).toEqual([other]);
  const between = childrenOf(workers.child.pid);
  const counted = await requestsCounted();
  expect(await releaseOf()).toBe("1.0.0+first");
  release.use("second");
  workers.child.kill("SIGHUP");
  await expect
    .poll(() => childrenOf(workers.child.pid).filter((pid) => between.includes(pid)).length, { timeout: 120_000 })
    .toBe(0);
  const { answered, read, failed } = await under.stop();
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThan(100);
  expect(await releaseOf()).toBe("1.0.0+second");

  const told = await (await fetch(metrics)).text();
  // Workers come and go, and what was counted stays.
  expect(counted).toBeGreaterThan(0);
  expect(await requestsCounted()).toBeGreaterThanOrEqual(read - 10);
  expect(told).toMatch(/cercle_database_connections\{state="open"\} \d/);

  const [killed = 0] = childrenOf(workers.child.pid);
  process.kill(killed, "SIGKILL");
  await expect
    .poll(() => childrenOf(workers.child.pid).filter((pid) => pid !== killed).length, { timeout: 120_000 })
    .toBe(2);
  await expect.poll(async () => (await fetch(`${site}/readyz`)).status).toBe(200);

  workers.child.kill("SIGTERM");
  expect(await workers.ended).toBe(0);
});

test("two machines behind a balancer, restarted one after the other under load, lose no request", async () => {
  test.setTimeout(300_000);
  const machine = (port: number) => start({ PORT: String(port), RATE_LIMITS: "off", DATABASE_URL, SANDBOX: "on" });
  const ports = [portOf(41), portOf(42)];
  const machines = new Map<number, Awaited<ReturnType<typeof machine>>>();
  for (const port of ports) machines.set(port, await machine(port));
  const balancer = await openBalancer(ports);

  const under = load(balancer.url);
  for (const port of ports) {
    const old = machines.get(port);
    old?.child.kill("SIGTERM");
    expect(await old?.ended).toBe(0);
    machines.set(port, await machine(port));
    await expect.poll(() => balancer.sendsTo(port), { timeout: 120_000 }).toBe(true);
  }
  const { answered, failed } = await under.stop();
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThan(100);
  balancer.close();
  for (const { child, ended } of machines.values()) {
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  }
});

test("a setting no worker can use stops them all with one line", async () => {
  const taken = String(portOf(20));
  const several = { PORT: taken, WORKERS: "2", DATABASE_URL, SANDBOX: "on" };
  for (const [setting, given] of [
    ["PORT", several],
    ["METRICS_PORT", { ...several, PORT: String(portOf(24)), METRICS_PORT: taken, METRICS_HOST: "127.0.0.1" }],
  ] as const) {
    const workers = await start(given);
    expect(await workers.ended).toBe(1);
    expect(workers.words()).toContain(`The setting ${setting} cannot be used: ${taken} is taken`);
    expect(workers.words()).not.toContain("    at ");
  }
});
