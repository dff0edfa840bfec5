import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Scene } from "./scene.ts";

/** Room for a fresh database and a little more. */
const mountOptions = "size=160m,mode=755";

/** No file system can be mounted here, so no disk can be filled. Its message is for whoever runs this. */
export class NoSmallDisk extends Error {}
const cannot = "No disk can be filled here: that takes root, or a user who may mount in a namespace of their own.";

/** A file system of its own, which can be filled without harming anybody else; `mounted` names one that is there. */
export function openSmallDisk(mounted: string | undefined) {
  const dir = mounted ?? mkdtempSync(join(tmpdir(), "cercle-disk-"));
  if (!mounted && spawnSync("mount", ["-t", "tmpfs", "-o", mountOptions, "cercle", dir]).status !== 0) {
    rmdirSync(dir);
    throw new NoSmallDisk(cannot);
  }
  return {
    dir,
    makeRoom: () => rmSync(join(dir, "ballast"), { force: true }),
    close(): void {
      if (mounted) return;
      // The last files may still be open in a process that is just ending.
      spawnSync("umount", ["--lazy", dir]);
      rmdirSync(dir);
    },
  };
}

/** Runs a command of somebody who is not root where a small disk is mounted for it alone; answers with its end. */
export function withOwnDisk(command: string, args: readonly string[]): number {
  const dir = mkdtempSync(join(tmpdir(), "cercle-disk-"));
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  // Mounting takes the name of root; the database then refuses that name, so the inner one is our own again.
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

/** Leaves no byte free; with a scene, uses up what the write-ahead log had in reserve as well. */
export async function fillDisk(dir: string, scene?: Scene): Promise<void> {
  const ballast = openSync(join(dir, "ballast"), "w");
  for (const size of [1 << 20, 1 << 12])
    try {
      for (const block = Buffer.alloc(size); ; ) writeSync(ballast, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  closeSync(ballast);
  // Each turn begins a new file of the log; the database ends itself when it cannot.
  await scene
    ?.withDatabase(async (database) => {
      for (;;) await database.execute(sql`select pg_logical_emit_message(true, 'faults', 'more'), pg_switch_wal()`);
    })
    .catch(() => {});
}
