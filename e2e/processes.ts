import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The product as an operator runs it, in processes and folders of its own. */
export function createProcesses() {
  const running: ChildProcess[] = [];
  const folders: string[] = [];

  return {
    folder(): string {
      const made = mkdtempSync(join(tmpdir(), "cercle-process-"));
      // Run as root, the database belongs to another user, who must be able to enter.
      chmodSync(made, 0o755);
      folders.push(made);
      return made;
    },

    /** Starts the product and waits for its line, or for its end. */
    async start(environment: Record<string, string>, command = [process.execPath, "dist/server/start.js"]) {
      const [program = "", ...given] = command;
      const child = spawn(program, given, {
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
    },

    /** Ends whatever a failed test left behind. */
    clear(): void {
      for (const child of running) child.kill("SIGKILL");
      for (const made of folders) {
        try {
          process.kill(postmasterOf(made).pid, "SIGKILL");
        } catch {
          // It was stopped as it should be.
        }
        rmSync(made, { recursive: true, force: true });
      }
    },
  };
}

/** The embedded database of a data folder: its process, and an address by which a second app may reach it. */
export function postmasterOf(dataDir: string) {
  const [pid, , , port, socketDir] = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n");
  const host = encodeURIComponent(socketDir?.trim() ?? "");
  return { pid: Number(pid), url: `postgresql://cercle@localhost/cercle?host=${host}&port=${port?.trim()}` };
}
