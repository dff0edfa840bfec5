import { expect, test } from "@playwright/test";
import { openBalancer } from "../support/balancer.ts";
import { load } from "../support/load.ts";
import { createProcesses, portOf } from "../support/processes.ts";

const { dataFolder, start, clear } = createProcesses();
test.afterAll(clear);

test("two machines behind a balancer, restarted one after the other under load, lose no request", async () => {
  test.setTimeout(300_000);
  const DATA_DIR = await dataFolder();
  const owner = await start({ DATA_DIR, PORT: String(portOf(40)), RATE_LIMITS: "off" });
  const DATABASE_URL = owner.postmaster().url;
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
  for (const { child, ended } of [...machines.values(), owner]) {
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  }
});
