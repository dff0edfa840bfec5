import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { urlOfRunning } from "#platform/database/postgres.server.ts";
import { fillDisk, openSmallDisk } from "./disk.ts";
import { openReplicated } from "./failover.ts";
import { openScene, type Scene } from "./scene.ts";

export interface FaultsPlan {
  kills: number;
  databaseKills: number;
  fullDisks: number;
  failovers: number;
  /** A small file system that is mounted already; without one, root mounts its own. */
  disk: string | undefined;
  port: number;
  tell: (line: string) => void;
}

/** Runs the built product, strikes it, and tells everything that is not as a client was told. */
export async function runFaults(plan: FaultsPlan): Promise<{ faults: string[] }> {
  const faults: string[] = [];
  const parts: [count: number, run: (plan: FaultsPlan) => Promise<string[]>][] = [
    [plan.kills + plan.databaseKills, runKills],
    [plan.fullDisks, runFullDisks],
    [plan.failovers, runFailovers],
  ];
  for (const [count, run] of parts) if (count > 0 && faults.length === 0) faults.push(...(await run(plan)));
  for (const fault of faults) plan.tell(`FAULT ${fault}`);
  plan.tell(faults.length === 0 ? "Nothing lost, nothing doubled, everything holds." : `${faults.length} faults.`);
  return { faults };
}

async function runKills(plan: FaultsPlan): Promise<string[]> {
  return onEmbedded(plan, async (scene, dataDir) => {
    for (let n = 1; n <= plan.kills && scene.faults.length === 0; n += 1) {
      await scene.underLoad(scene.killApp, scene.startApp);
      plan.tell(`app killed ${n} of ${plan.kills}: ${scene.summary()}`);
    }
    for (let n = 1; n <= plan.databaseKills && scene.faults.length === 0; n += 1) {
      await scene.underLoad(
        async () => {
          process.kill(postmaster(dataDir), "SIGKILL");
          // Long enough for the clients to meet the app without its database.
          await sleep(300);
        },
        async () => {},
      );
      plan.tell(`database killed ${n} of ${plan.databaseKills}: ${scene.summary()}`);
    }
  });
}

/** First the tables find no room, then the write-ahead log finds none, at which PostgreSQL gives up and ends. */
async function runFullDisks(plan: FaultsPlan): Promise<string[]> {
  const disk = openSmallDisk(plan.disk);
  try {
    return await onEmbedded(
      plan,
      async (scene) => {
        for (let n = 1; n <= plan.fullDisks && scene.faults.length === 0; n += 1)
          for (const what of ["data", "log"] as const) {
            await scene.underLoad(
              async () => {
                await fillDisk(disk.dir, what === "log" ? scene : undefined);
                if (!(await scene.refusals(15_000))) scene.faults.push("a full disk refused no write");
                // Long enough for the clients to meet more of it, and for some tries at starting the database again.
                await sleep(1_000);
              },
              async () => disk.makeRoom(),
            );
            plan.tell(`disk full for the ${what} ${n} of ${plan.fullDisks}: ${scene.summary()}`);
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
    const replicated = await openReplicated();
    try {
      const scene = await openScene({
        port: plan.port,
        environment: { DATABASE_URL: replicated.address, SANDBOX: "on" },
        databaseUrl: () => replicated.address,
      });
      await scene.underLoad(replicated.losePrimary, replicated.promote);
      await scene.close();
      faults.push(...scene.faults);
      plan.tell(`standby took over ${n} of ${plan.failovers}: ${scene.summary()}`);
    } finally {
      await replicated.close();
    }
  }
  return faults;
}

async function onEmbedded(
  plan: FaultsPlan,
  work: (scene: Scene, dataDir: string) => Promise<void>,
  on = tmpdir(),
): Promise<string[]> {
  const dataDir = mkdtempSync(join(on, "cercle-faults-"));
  // Run as root, the database belongs to another user, who must be able to enter.
  chmodSync(dataDir, 0o755);
  const scene = await openScene({
    port: plan.port,
    environment: { DATA_DIR: dataDir },
    databaseUrl: () => urlOfRunning(dataDir),
  });
  try {
    await work(scene, dataDir);
  } finally {
    await scene.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return scene.faults;
}

function postmaster(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}
