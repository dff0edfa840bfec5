import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const running: ChildProcess[] = [];
const folders: string[] = [];

/** A folder for a product's data, gone with `stopAll`. */
export function freshFolder(): string {
  const made = mkdtempSync(join(tmpdir(), "cercle-process-"));
  // Run as root, the database belongs to another user, who must be able to enter.
  chmodSync(made, 0o755);
  folders.push(made);
  return made;
}

/** Starts the product as a process of its own and waits for its line, or for its end. */
export async function startProduct(environment: Record<string, string>) {
  const child = spawn(process.execPath, ["dist/server/start.js"], {
    env: { ...process.env, LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let words = "";
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const opened = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        words += chunk;
        if (words.includes("Cercle is open")) resolve();
      });
  });
  await Promise.race([opened, ended]);
  return { child, ended, words: () => words };
}

export async function stopAll(): Promise<void> {
  const alive = running.filter((child) => child.exitCode === null && child.signalCode === null);
  for (const child of alive) child.kill("SIGTERM");
  await Promise.all(alive.map((child) => new Promise((resolve) => child.once("exit", resolve))));
  for (const made of folders) rmSync(made, { recursive: true, force: true });
}
