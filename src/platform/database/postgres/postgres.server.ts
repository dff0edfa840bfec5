import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import {
  findBinaries,
  initialise,
  type Owner,
  serverEnvironment,
  serverOwner,
  superuser,
} from "./postgres-binaries.server.ts";

/**
 * PostgreSQL's own binaries as a supervised child process on a private Unix socket:
 * the default when no DATABASE_URL is set.
 */
export interface EmbeddedPostgres {
  url: string;
  dataDir: string;
  /** The memory it takes for its buffers. */
  bufferMb: number;
  stop(): Promise<void>;
}

/** Another running app uses this data folder. Its message is for the operator. */
export class DataInUse extends Error {}

/** Advisory lock, held by the app for as long as it uses the cluster; a cluster whose lock is free is an orphan. */
const ownerLock = 0x43_45_52_43;
const maxLogBytes = 10 * 2 ** 20;

const leastBufferMb = 128;

/**
 * How much memory the server takes for its buffers, in MB: a quarter of the machine's, or of the container's, as PostgreSQL
 * advises for a server of its own; at most 4 GB, since the machine has other work too.
 */
function bufferMb(): number {
  // Without a limit, Node reports none or a number beyond any machine's memory.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(leastBufferMb, Math.min(4_096, Math.floor(memory / 4 / 2 ** 20)));
}

export async function startPostgres(options: {
  dataDir: string;
  database?: string;
  /** Tests trade durability for speed; the product never does. */
  durable?: boolean;
  onFault?: (message: string) => void;
}): Promise<EmbeddedPostgres> {
  const { database = "cercle", durable = true, onFault = () => {} } = options;
  // Creating and dropping a database looks at every buffer: with 4 GB each takes three times the processor time.
  const buffers = durable ? bufferMb() : leastBufferMb;
  const owner = serverOwner();
  const binaries = await findBinaries(owner);
  const home = await makeDataDir(options.dataDir, owner);
  const data = join(home, "postgres");

  if (!existsSync(join(data, "PG_VERSION"))) await initialise(binaries, data, owner);
  await stopOrphan(data);

  const socketDir = await makeSocketDir(home, owner);
  const url = (name: string) => socketUrl(socketDir, name);
  let child: ChildProcess | undefined;
  let lock: pg.Client | undefined;
  let stopping = false;

  async function launch(): Promise<void> {
    // The log is a file: a child that inherits our stdout would keep the pipe open after we are killed.
    const log = openLog(join(home, "postgres.log"));
    const flags = ["-c", "listen_addresses=", "-k", socketDir, "-c", "log_min_messages=warning"];
    // The rest of the memory, but for what the app takes, is the system's cache of the files.
    flags.push("-c", `shared_buffers=${buffers}MB`, "-c", `effective_cache_size=${buffers * 2}MB`);
    if (!durable) flags.push("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off");
    // By itself it plans a prepared statement anew for each of its first five runs, which in a test are most.
    if (!durable) flags.push("-c", "plan_cache_mode=force_generic_plan");
    // A database that autovacuum is working on cannot be copied; creating waits five seconds for it, and fails.
    if (!durable) flags.push("-c", "autovacuum=off");
    // After a crash of one of its processes the server would go on by itself, but without the connection that holds
    // our lock: another app would take it for an orphan. So it exits, and the supervisor below restarts it.
    flags.push("-c", "max_connections=200", "-c", "restart_after_crash=off");
    const started = spawn(join(binaries, "bin", "postgres"), ["-D", data, ...flags], {
      ...owner,
      cwd: "/",
      env: serverEnvironment(),
      stdio: ["ignore", log, log],
      // Its own group: Ctrl-C reaches us first, and we stop it after the last request.
      detached: true,
    });
    closeSync(log);
    child = started;
    const exited = new Promise<never>((_, reject) => {
      started.once("error", reject);
      started.once("exit", () => reject(new Error(lastLine(join(home, "postgres.log")))));
    });
    exited.catch(() => {});
    await Promise.race([ready(url("postgres")), exited]);
    lock = await takeLock(url("postgres"), home);
    // When the server dies this connection breaks too; the supervisor below deals with it.
    lock.on("error", () => {});
    started.removeAllListeners("exit");
    if (started.exitCode !== null || started.signalCode !== null) void restart();
    else started.once("exit", () => void restart());
  }

  async function restart(): Promise<void> {
    for (let waitMs = 100; !stopping; waitMs = Math.min(waitMs * 2, 5_000)) {
      onFault(`The database stopped; starting it again in ${waitMs} ms.`);
      await sleep(waitMs);
      if (stopping) return;
      try {
        await stopOrphan(data);
        return await launch();
      } catch (error) {
        onFault(`The database did not start: ${(error as Error).message}`);
      }
    }
  }

  await launch();
  await createDatabase(url("postgres"), database);

  return {
    url: url(database),
    dataDir: home,
    bufferMb: buffers,
    async stop() {
      stopping = true;
      await lock?.end().catch(() => {});
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child?.once("exit", resolve));
      // SIGINT is PostgreSQL's fast shutdown: roll back open transactions, write a checkpoint, exit.
      child.kill("SIGINT");
      await gone;
      if (dirname(socketDir) === tmpdir()) await rm(socketDir, { recursive: true, force: true });
    },
  };
}

async function makeDataDir(wanted: string, owner: Owner | undefined): Promise<string> {
  await mkdir(wanted, { recursive: true });
  if (!owner || spawnSync("test", ["-x", wanted], { ...owner, cwd: "/" }).status === 0) return wanted;
  const home = fallbackDataDir(wanted);
  await mkdir(home, { recursive: true, mode: 0o755 });
  return home;
}

/** The data folder when the unprivileged user has no access to the configured one. */
function fallbackDataDir(wanted: string): string {
  const name = createHash("sha256").update(wanted).digest("hex").slice(0, 8);
  return join("/var/lib/cercle", `${basename(dirname(wanted))}-${name}`);
}

/** Nothing runs on this data. Its message is for the operator. */
export class NothingRunning extends Error {}

/** The address of the embedded database of an app that is running now; for commands beside it. */
export async function urlOfRunning(dataDir: string, database = "cercle"): Promise<string> {
  for (const home of [dataDir, fallbackDataDir(dataDir)]) {
    const server = await readPostmaster(join(home, "postgres"));
    if (server?.socketDir && alive(server.pid)) return socketUrl(server.socketDir, database, server.port);
  }
  throw new NothingRunning(`Nothing is running on ${dataDir}: start it first, or set DATA_DIR or DATABASE_URL.`);
}

/** A running server's own lines in postmaster.pid; the socket's folder stands there only once it listens. */
async function readPostmaster(data: string) {
  const file = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => undefined);
  const [pid, , , port, socketDir] = (file ?? "").split("\n").map((line) => line.trim());
  return Number(pid) ? { pid: Number(pid), port, socketDir } : undefined;
}

function socketUrl(socketDir: string, database: string, port?: string): string {
  const url = `postgresql://${superuser}@/${database}?host=${encodeURIComponent(socketDir)}`;
  return port ? `${url}&port=${port}` : url;
}

async function makeSocketDir(home: string, owner: Owner | undefined): Promise<string> {
  const near = join(home, "socket");
  // A Unix socket's whole path holds 107 bytes.
  const fits = Buffer.byteLength(join(near, ".s.PGSQL.5432")) <= 107;
  const dir = fits ? near : await mkdtemp(join(tmpdir(), "cercle-"));
  await mkdir(dir, { recursive: true });
  if (owner) chownSync(dir, owner.uid, owner.gid);
  await chmod(dir, 0o700);
  return dir;
}

/** Stops a server that a killed app left behind; refuses when its app is alive. */
async function stopOrphan(data: string): Promise<void> {
  let server = await readPostmaster(data);
  // One that is just starting writes its socket's folder in a moment, or exits.
  for (; server && alive(server.pid) && !server.socketDir; server = await readPostmaster(data)) await sleep(20);
  if (!server?.socketDir || !alive(server.pid)) return;
  const url = socketUrl(server.socketDir, "postgres", server.port);
  const reached = await Promise.race([ready(url).then(() => true), gone(server.pid).then(() => false)]);
  if (!reached) return;
  const held = await takeLock(url, dirname(data));
  await held.end();
  process.kill(server.pid, "SIGINT");
  await gone(server.pid);
}

async function takeLock(url: string, home: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "cercle owner" });
  await client.connect();
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [ownerLock]);
  if (rows[0]?.taken) return client;
  await client.end();
  throw new DataInUse(`Another process is already running on ${home}: stop it first, or set DATA_DIR or DATABASE_URL.`);
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  try {
    // A killed server may stay a zombie process for a moment; it uses nothing any more.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/\) Z /.test(stat) && /postgres/.test(stat);
  } catch {
    return true; // No /proc on this system: the signal has shown that the process exists.
  }
}

async function gone(pid: number): Promise<void> {
  while (alive(pid)) await sleep(20);
}

async function ready(url: string): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(20);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (!rowCount) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** Appended, since what was written before a restart is what explains it; past its size limit the file before it is kept. */
function openLog(path: string): number {
  if (existsSync(path) && statSync(path).size > maxLogBytes) renameSync(path, `${path}.1`);
  return openSync(path, "a");
}

function lastLine(file: string): string {
  try {
    return readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "";
  } catch {
    return "the database did not start";
  }
}
