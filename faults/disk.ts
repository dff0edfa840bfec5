import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Harness } from "./harness.ts";

/** Enough for a fresh database and a little more. */
const mountOptions = "size=160m,mode=755";

/** No file system can be mounted here, so no disk can be filled. Its message is for the operator. */
export class NoSmallDisk extends Error {}
const cannot = "No disk can be filled here: that takes root, or a user who may mount in a namespace of their own.";

/** A small file system that can be filled without harm to others; `mounted` is the folder of an existing one. */
export function openSmallDisk(mounted: string | undefined) {
  const dir = mounted ?? mkdtempSync(join(tmpdir(), "cercle-disk-"));
  if (!mounted && spawnSync("mount", ["-t", "tmpfs", "-o", mountOptions, "cercle", dir]).status !== 0) {
    rmdirSync(dir);
    throw new NoSmallDisk(cannot);
  }
  return {
    dir,
    makeSpace: () => rmSync(join(dir, "ballast"), { force: true }),
    close(): void {
      if (mounted) return;
      // The last files may still be open in a process that is just exiting.
      spawnSync("umount", ["--lazy", dir]);
      rmdirSync(dir);
    },
  };
}

/** Without root: runs a command in a mount namespace of its own with a small disk; returns its exit code. */
export function withOwnDisk(command: string, args: readonly string[]): number {
  const dir = mkdtempSync(join(tmpdir(), "cercle-disk-"));
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  // Mounting needs root in the namespace; PostgreSQL refuses root, so an inner namespace maps back to our own user.
  const inner = `exec unshare --user --map-user=${uid} --map-group=${gid} "$@"`;
  const script = `mount -t tmpfs -o ${mountOptions} cercle "$0" && ${inner}`;
  const enter = ["--user", "--map-root-user", "--mount", "sh", "-c", script, dir];
  const possible = spawnSync("unshare", [...enter, "true"]).status === 0;
  const status = possible
    ? spawnSync("unshare", [...enter, command, ...args, "--disk", dir], { stdio: "inherit" }).status
    : undefined;
  rmdirSync(dir);
  if (!possible) throw new NoSmallDisk(cannot);
  return status ?? 1;
}

/** Leaves no byte free; with a harness, uses up the preallocated files of the write-ahead log as well. */
export async function fillDisk(dir: string, harness?: Harness): Promise<void> {
  const ballast = openSync(join(dir, "ballast"), "w");
  for (const size of [1 << 20, 1 << 12])
    try {
      for (const block = Buffer.alloc(size); ; ) writeSync(ballast, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  closeSync(ballast);
  // Each round starts a new file of the write-ahead log; PostgreSQL exits when it cannot.
  await harness
    ?.withDatabase(async (database) => {
      for (;;) await database.execute(sql`select pg_logical_emit_message(true, 'faults', 'more'), pg_switch_wal()`);
    })
    .catch(() => {});
}
