import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import {
  findBinaries,
  initialise,
  type Owner,
  serverEnvironment,
  serverOwner,
  superuser,
} from "#platform/database/postgres/postgres-binaries.server.ts";

const standbyName = "standby";

/**
 * A primary with a synchronous standby, behind one address that can be moved, as an operator's virtual IP address or
 * proxy would be.
 */
export async function openReplicated(from: string | undefined) {
  const home = mkdtempSync(join(tmpdir(), "cercle-replicated-"));
  chmodSync(home, 0o755);
  const owner = serverOwner();
  const binaries = await findBinaries(owner);
  const [first, second] = [join(home, "primary"), join(home, "standby")];
  for (const folder of [first, second]) {
    mkdirSync(folder);
    if (owner) chownSync(folder, owner.uid, owner.gid);
  }
  if (from) copyData(join(from, "postgres"), first);
  else await initialise(binaries, join(first, "postgres"), owner);
  // The primary does not run yet, so a plain copy is a complete base backup.
  copyData(join(first, "postgres"), second);
  writeFileSync(join(second, "postgres", "standby.signal"), "");
  const follows = `host=${first} user=${superuser} application_name=${standbyName}`;
  appendFileSync(join(second, "postgres", "postgresql.conf"), `\nprimary_conninfo = '${follows}'\n`);

  const primary = await launch(binaries, first, owner, ["-c", `synchronous_standby_names=${standbyName}`]);
  const standby = await launch(binaries, second, owner, []);
  await until(first, "select 1 from pg_stat_replication where sync_state = 'sync'");
  if (!from) await query(first, "create database cercle");

  const address = await openAddress(join(first, ".s.PGSQL.5432"));
  return {
    address: `postgresql://${superuser}@127.0.0.1:${address.port}/cercle`,
    /** Kills the primary at once. The address then leads to the standby, which is still read-only. */
    async losePrimary(): Promise<void> {
      const processes = [primary.pid ?? 0, ...childrenOf(primary)];
      for (const pid of processes) process.kill(pid, "SIGKILL");
      address.moveTo(join(second, ".s.PGSQL.5432"));
      await sleep(500);
    },
    async promote(): Promise<void> {
      await query(second, "select pg_promote()");
    },
    async close(): Promise<void> {
      address.close();
      for (const server of [primary, standby]) {
        if (server.exitCode !== null || server.signalCode !== null) continue;
        const gone = once(server, "exit");
        server.kill("SIGINT");
        await gone;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A database that does not run, into a folder, with its owners. */
export function copyData(postgres: string, folder: string): void {
  execFileSync("cp", ["-a", postgres, join(folder, "postgres")]);
}

async function launch(binaries: string, folder: string, owner: Owner | undefined, flags: string[]) {
  // A standby must allow as many connections as its data's last server, which may have been the product's own.
  const settings = ["-c", "listen_addresses=", "-c", "max_connections=200"];
  const all = ["-D", join(folder, "postgres"), ...settings, "-k", folder, ...flags];
  const server = spawn(join(binaries, "bin", "postgres"), all, {
    ...owner,
    cwd: "/",
    env: serverEnvironment(),
    stdio: "ignore",
    detached: true,
  });
  await until(folder, "select 1");
  return server;
}

async function query(folder: string, statement: string): Promise<number> {
  const client = new pg.Client({ host: folder, user: superuser, database: "postgres" });
  try {
    await client.connect();
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Waits until the query returns a row. */
async function until(folder: string, statement: string): Promise<void> {
  for (const giveUpAt = Date.now() + 30_000; ; await sleep(50)) {
    const rows = await query(folder, statement).catch((error) => {
      if (Date.now() > giveUpAt) throw error;
      return 0;
    });
    if (rows > 0) return;
    if (Date.now() > giveUpAt) throw new Error("The two databases did not come together.");
  }
}

/** The server's child processes, which would live on for a moment if it alone were killed. */
function childrenOf(server: ChildProcess): number[] {
  try {
    return readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").trim().split(" ").map(Number);
  } catch {
    return []; // No /proc on this system.
  }
}

/** One address in front of whichever server is the primary. */
async function openAddress(first: string) {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(target);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
      // An error or close on either side closes the other.
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    moveTo(next: string): void {
      target = next;
      for (const socket of open) socket.destroy();
    },
    close(): void {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
