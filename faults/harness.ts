import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { eq } from "drizzle-orm";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { accounts } from "#loyalty/ledger/account.tables.server.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { type Database, openDatabase } from "#platform/database/database.server.ts";
import { addShop, createKey } from "#shop/keys/keys.server.ts";
import { findFaults } from "./find-faults.ts";
import { createWriter, type Writer } from "./writer.ts";

const writers = 4;
/** How long a stop may take: the last responses, the last jobs, the database. */
const stopSeconds = 45;

export type Harness = Awaited<ReturnType<typeof openHarness>>;

/** The built product under the load of clients that write without a pause, and checks after each fault. */
export async function openHarness(options: {
  port: number;
  environment: Record<string, string>;
  /** The checks read the database directly, not through the product. */
  databaseUrl: () => string | Promise<string>;
}) {
  const site = `http://127.0.0.1:${options.port}`;
  const faults: string[] = [];
  let app = await launch(options.port, options.environment);

  async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = openDatabase(await options.databaseUrl(), { connections: 1 });
    try {
      return await work(database);
    } finally {
      await database.$client.end();
    }
  }

  const clients = await Promise.all(Array.from({ length: writers }, (_, n) => createWriter(site, n)));
  await withDatabase(async (database) => {
    const shopId = await addShop(database, { name: "Faults", city: "Paris", kind: "boutique" });
    const key = await createKey(database, { shopId, name: "Till", scopes: ["sell", "return"], now: new Date() });
    for (const { customerId, openTill } of clients) {
      // Points are spent from confirmed addresses only.
      await database.update(customers).set({ emailVerifiedAt: new Date() }).where(eq(customers.id, customerId));
      await credit(database, {
        ...{ customerId, points: 100_000_000, kind: "grant", cause: "grant:faults", label: {} },
        now: new Date(),
      });
      const [account] = await database.select().from(accounts).where(eq(accounts.customerId, customerId));
      openTill(key, account?.cardNumber ?? "");
    }
  });
  const total = (read: (counts: ReturnType<Writer["counts"]>) => number) =>
    clients.reduce((sum, client) => sum + read(client.counts()), 0);

  return {
    site,
    faults,
    withDatabase,
    async killApp(): Promise<void> {
      app.kill("SIGKILL");
      await once(app, "exit");
    },
    async startApp(): Promise<void> {
      app = await launch(options.port, options.environment);
    },
    /** Injects a fault while all clients write, recovers, retries what got no response, and checks the result. */
    async underLoad(inject: () => Promise<void>, recover: () => Promise<void>): Promise<void> {
      const load = clients.map((client) => client.write());
      await sleep(randomInt(100, 1_000));
      await inject();
      for (const client of clients) client.pause();
      await Promise.all(load);
      await recover();
      await ready(site);
      for (const client of clients) await client.settle();
      faults.push(...(await withDatabase((database) => findFaults(database, clients))));
    },
    /** Waits until the clients get responses with 503; false after the timeout. */
    async refusals(timeoutMs: number): Promise<boolean> {
      const before = total(({ refused }) => refused);
      for (const giveUpAt = Date.now() + timeoutMs; Date.now() < giveUpAt; await sleep(20))
        if (total(({ refused }) => refused) > before) return true;
      return false;
    },
    summary(): string {
      const [intended, acknowledged] = [total((counts) => counts.intended), total((counts) => counts.acknowledged)];
      const [refused, repeated] = [total((counts) => counts.refused), total((counts) => counts.repeated)];
      return `${intended} writes intended, ${acknowledged} acknowledged, ${refused} refused with 503, ${repeated} repeated with their key`;
    },
    /** After all faults the app must still be running, and stop in order. */
    async close(): Promise<void> {
      if (app.exitCode !== null || app.signalCode !== null) return void faults.push("the app ended by itself");
      const exited = once(app, "exit");
      app.kill("SIGTERM");
      const late = setTimeout(() => app.kill("SIGKILL"), stopSeconds * 1_000);
      const [code, signal] = await exited;
      clearTimeout(late);
      if (code !== 0) faults.push(`asked to end, the app ended with ${code ?? signal}`);
    },
  };
}

async function launch(port: number, environment: Record<string, string>): Promise<ChildProcess> {
  const built = join(dirname(fileURLToPath(import.meta.url)), "start.js");
  const child = spawn(process.execPath, [built], {
    env: { PATH: process.env["PATH"], PORT: String(port), RATE_LIMITS: "off", LOG_LEVEL: "silent", ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await Promise.race([
    ready(`http://127.0.0.1:${port}`),
    once(child, "exit").then(() => Promise.reject(new Error("The app did not start."))),
  ]);
  return child;
}

async function ready(site: string): Promise<void> {
  for (const giveUpAt = Date.now() + 60_000; Date.now() < giveUpAt; await sleep(50)) {
    const status = await fetch(`${site}/readyz`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
  }
  throw new Error("The app did not become ready.");
}
