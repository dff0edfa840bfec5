import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { countViolations, invariants } from "#loyalty/invariants.server.ts";
import { credit } from "#loyalty/ledger.server.ts";
import { type Database, openDatabase } from "#platform/database.server.ts";
import { urlOfRunning } from "#platform/postgres.server.ts";
import { createWriter, type Writer } from "./faults-writer.server.ts";

const writers = 4;

export interface FaultsPlan {
  kills: number;
  databaseKills: number;
  port: number;
  tell: (line: string) => void;
}

/** Runs the built product, kills it, starts it again, and tells everything that is not as a client was told. */
export async function runFaults(plan: FaultsPlan): Promise<{ faults: string[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), "cercle-faults-"));
  // Run as root, the database belongs to another user, who must be able to enter.
  chmodSync(dataDir, 0o755);
  const site = `http://127.0.0.1:${plan.port}`;
  const faults: string[] = [];
  let app = await launch(dataDir, plan.port);
  const clients = await Promise.all(Array.from({ length: writers }, (_, n) => createWriter(site, n)));
  await withDatabase(dataDir, async (database) => {
    for (const { customerId } of clients)
      await credit(database, {
        ...{ customerId, points: 100_000_000, kind: "grant", cause: "grant:faults", label: {} },
        now: new Date(),
      });
  });

  async function underLoad(strike: () => Promise<void>, heal: () => Promise<void>): Promise<void> {
    const load = clients.map((client) => client.write());
    await sleep(randomInt(100, 1_000));
    await strike();
    for (const client of clients) client.pause();
    await Promise.all(load);
    await heal();
    await ready(site);
    for (const client of clients) await client.settle();
    faults.push(...(await withDatabase(dataDir, (database) => judge(database, clients))));
  }

  try {
    for (let n = 1; n <= plan.kills && faults.length === 0; n += 1) {
      await underLoad(
        async () => {
          app.kill("SIGKILL");
          await once(app, "exit");
        },
        async () => {
          app = await launch(dataDir, plan.port);
        },
      );
      plan.tell(`app killed ${n} of ${plan.kills}: ${summary(clients)}`);
    }
    for (let n = 1; n <= plan.databaseKills && faults.length === 0; n += 1) {
      await underLoad(
        async () => {
          process.kill(postmaster(dataDir), "SIGKILL");
          // Long enough for the clients to meet the app without its database.
          await sleep(300);
        },
        async () => {},
      );
      plan.tell(`database killed ${n} of ${plan.databaseKills}: ${summary(clients)}`);
    }
  } finally {
    app.kill("SIGTERM");
    await once(app, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  }
  for (const fault of faults) plan.tell(`FAULT ${fault}`);
  plan.tell(faults.length === 0 ? "Nothing lost, nothing doubled, everything holds." : `${faults.length} faults.`);
  return { faults };
}

async function launch(dataDir: string, port: number): Promise<ChildProcess> {
  const built = join(dirname(fileURLToPath(import.meta.url)), "start.js");
  const child = spawn(process.execPath, [built], {
    env: {
      ...{ PATH: process.env["PATH"], DATA_DIR: dataDir, PORT: String(port) },
      ...{ RATE_LIMITS: "off", LOG_LEVEL: "silent" },
    },
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

function postmaster(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}

async function withDatabase<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(await urlOfRunning(dataDir), { connections: 1 });
  try {
    return await work(database);
  } finally {
    await database.$client.end();
  }
}

/** What the database holds against what the clients were told, and the invariants on top. */
async function judge(database: Database, clients: Writer[]): Promise<string[]> {
  const faults: string[] = [];
  for (const client of clients) {
    faults.push(...client.complaints());
    const { rows: vouchers } = await database.execute<{ code: string }>(
      sql`select code from loyalty_voucher where customer_id = ${client.customerId}`,
    );
    const held = new Set(vouchers.map(({ code }) => code));
    for (const code of client.codes()) if (!held.delete(code)) faults.push(`an acknowledged voucher is lost`);
    // Every key was asked again until it was answered, so a voucher nobody was told of is one too many.
    if (held.size > 0) faults.push(`${held.size} vouchers were made twice`);
    const { rows: people } = await database.execute<{ email: string; count: number }>(
      sql`select email, count(*)::integer as count from customer where email like ${`${client.prefix}-%`} group by email`,
    );
    const registered = new Map(people.map(({ email, count }) => [email, count]));
    for (const email of client.registered())
      if (registered.get(email) !== 1) faults.push(`a registration is there ${registered.get(email) ?? 0} times`);
    const { rows: names } = await database.execute<{ lastname: string }>(
      sql`select lastname from customer where id = ${client.customerId}`,
    );
    if (!client.mayBeCalled(names[0]?.lastname ?? "")) faults.push("an acknowledged change of name is lost");
  }
  for (const invariant of invariants)
    if (await countViolations(database, invariant)) faults.push(`invariant ${invariant.number} is broken`);
  return faults;
}

function summary(clients: Writer[]): string {
  const total = (read: (client: Writer) => number) => clients.reduce((sum, client) => sum + read(client), 0);
  return `${total((c) => c.figures().intended)} writes intended, ${total((c) => c.figures().acknowledged)} acknowledged, ${total(
    (c) => c.figures().repeated,
  )} repeated with their key`;
}
