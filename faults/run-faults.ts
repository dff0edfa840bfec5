import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { urlOfRunning } from "#platform/database/postgres/postgres.server.ts";
import { fillDisk, openSmallDisk } from "./disk.ts";
import { copyData, openReplicated } from "./failover.ts";
import { type Harness, openHarness } from "./harness.ts";

export interface FaultsPlan {
  kills: number;
  databaseKills: number;
  fullDisks: number;
  failovers: number;
  /** A small file system that is mounted already; without one, root mounts its own. */
  disk: string | undefined;
  /** The data folder of a stopped product, to begin with copies of it; without one, each database is made anew. */
  from: string | undefined;
  port: number;
  log: (line: string) => void;
}

/** Runs the built product, injects faults, and reports every difference from what the clients were acknowledged. */
export async function runFaults(plan: FaultsPlan): Promise<{ faults: string[] }> {
  const faults: string[] = [];
  const parts: [count: number, run: (plan: FaultsPlan) => Promise<string[]>][] = [
    [plan.kills + plan.databaseKills, runKills],
    [plan.fullDisks, runFullDisks],
    [plan.failovers, runFailovers],
  ];
  for (const [count, run] of parts) if (count > 0 && faults.length === 0) faults.push(...(await run(plan)));
  for (const fault of faults) plan.log(`FAULT ${fault}`);
  plan.log(faults.length === 0 ? "Nothing lost, nothing doubled, everything holds." : `${faults.length} faults.`);
  return { faults };
}

async function runKills(plan: FaultsPlan): Promise<string[]> {
  return onEmbedded(plan, async (harness, dataDir) => {
    for (let n = 1; n <= plan.kills && harness.faults.length === 0; n += 1) {
      await harness.underLoad(harness.killApp, harness.startApp);
      plan.log(`app killed ${n} of ${plan.kills}: ${harness.summary()}`);
    }
    for (let n = 1; n <= plan.databaseKills && harness.faults.length === 0; n += 1) {
      await harness.underLoad(
        async () => {
          process.kill(postmaster(dataDir), "SIGKILL");
          // Long enough for the clients to reach the app without its database.
          await sleep(300);
        },
        async () => {},
      );
      plan.log(`database killed ${n} of ${plan.databaseKills}: ${harness.summary()}`);
    }
  });
}

/** The disk is full first for the tables, then for the write-ahead log, at which PostgreSQL exits. */
async function runFullDisks(plan: FaultsPlan): Promise<string[]> {
  const disk = openSmallDisk(plan.disk);
  try {
    return await onEmbedded(
      plan,
      async (harness) => {
        for (let n = 1; n <= plan.fullDisks && harness.faults.length === 0; n += 1)
          for (const what of ["data", "log"] as const) {
            await harness.underLoad(
              async () => {
                await fillDisk(disk.dir, what === "log" ? harness : undefined);
                if (!(await harness.refusals(15_000))) harness.faults.push("a full disk refused no write");
                // Long enough for more refused writes, and for some attempts to restart the database.
                await sleep(1_000);
              },
              async () => disk.makeSpace(),
            );
            plan.log(`disk full for the ${what} ${n} of ${plan.fullDisks}: ${harness.summary()}`);
          }
      },
      disk.dir,
    );
  } finally {
    disk.close();
  }
}

async function runFailovers(plan: FaultsPlan): Promise<string[]> {
  const faults: string[] = [];
  for (let n = 1; n <= plan.failovers && faults.length === 0; n += 1) {
    const replicated = await openReplicated(plan.from);
    try {
      const harness = await openHarness({
        port: plan.port,
        environment: { DATABASE_URL: replicated.address, SANDBOX: "on" },
        databaseUrl: () => replicated.address,
      });
      await harness.underLoad(replicated.losePrimary, replicated.promote);
      await harness.close();
      faults.push(...harness.faults);
      plan.log(`standby took over ${n} of ${plan.failovers}: ${harness.summary()}`);
    } finally {
      await replicated.close();
    }
  }
  return faults;
}

async function onEmbedded(
  plan: FaultsPlan,
  work: (harness: Harness, dataDir: string) => Promise<void>,
  on = tmpdir(),
): Promise<string[]> {
  const dataDir = mkdtempSync(join(on, "cercle-faults-"));
  // Run as root, the database belongs to another user, who must be able to enter.
  chmodSync(dataDir, 0o755);
  if (plan.from) copyData(join(plan.from, "postgres"), dataDir);
  const harness = await openHarness({
    port: plan.port,
    environment: { DATA_DIR: dataDir },
    databaseUrl: () => urlOfRunning(dataDir),
  });
  try {
    await work(harness, dataDir);
  } finally {
    await harness.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return harness.faults;
}

function postmaster(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}
