import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A port of this run: two runs beside each other, each with an E2E_PORT of its own, share none. */
export const portOf = (offset: number) => Number(process.env["E2E_PORT"]) + offset;

const parallelIndex = Number(process.env["TEST_PARALLEL_INDEX"] ?? 0);

/** An empty, migrated database: made by the first test that needs one, copied by the others. */
const template = `${process.env["E2E_DATA_DIR"]}-template`;

/** True for the first that asks: the others wait for what it makes. */
function claimTemplate(): boolean {
  try {
    mkdirSync(`${template}-claimed`);
    return true;
  } catch {
    return false;
  }
}

/** The product as an operator runs it, in processes and folders of its own. */
export function createProcesses() {
  const running: ChildProcess[] = [];
  const folders: string[] = [];

  const processes = {
    /** An empty folder. */
    folder(): string {
      const made = mkdtempSync(join(tmpdir(), "cercle-process-"));
      // Run as root, the database belongs to another user, who must be able to enter.
      chmodSync(made, 0o755);
      folders.push(made);
      return made;
    },

    /** A data folder as a product that started once and was stopped left it; creating a database anew takes seconds. */
    async dataFolder(): Promise<string> {
      const giveUpAt = Date.now() + 60_000;
      while (!claimTemplate() && !existsSync(template) && Date.now() < giveUpAt) await sleep(100);
      if (!existsSync(template)) {
        const made = processes.folder();
        const { child, ended } = await processes.start({ DATA_DIR: made, PORT: String(portOf(50 + parallelIndex)) });
        child.kill("SIGTERM");
        await ended;
        try {
          renameSync(made, template);
        } catch {
          // Made meanwhile by the one that was waited for in vain, and as good.
        }
      }
      const copied = join(processes.folder(), "data");
      // With its owners, which fs.cp does not keep.
      execFileSync("cp", ["-a", template, copied]);
      return copied;
    },

    /** Starts the product and waits for its line, or for its end. */
    async start(
      environment: Record<string, string>,
      command = [process.execPath, "dist/server/start.js"],
      line = "Cercle is open",
    ) {
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
            if (words.includes(line)) resolve();
          });
      });
      await Promise.race([opened, ended]);
      return {
        child,
        ended,
        words: () => words,
        /** The embedded database, once the product is open; otherwise the error says why it is not. */
        postmaster() {
          if (!words.includes(line)) throw new Error(`The product did not start: ${words}`);
          return postmasterOf(environment["DATA_DIR"] ?? "");
        },
      };
    },

    /** Ends whatever a failed test left behind. */
    clear(): void {
      for (const child of running) child.kill("SIGKILL");
      for (const made of folders) {
        try {
          const dataDir = existsSync(join(made, "data")) ? join(made, "data") : made;
          process.kill(postmasterOf(dataDir).pid, "SIGKILL");
        } catch {
          // It was stopped as it should be.
        }
        rmSync(made, { recursive: true, force: true });
      }
    },
  };
  return processes;
}

/** The embedded database of a data folder: its process, and an address by which a second app may reach it. */
export function postmasterOf(dataDir: string) {
  const [pid, , , port, socketDir] = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n");
  const host = encodeURIComponent(socketDir?.trim() ?? "");
  return { pid: Number(pid), url: `postgresql://cercle@localhost/cercle?host=${host}&port=${port?.trim()}` };
}

/** The last line of an operator's command about shops: the id or the key that it made. */
export function operator(...words: string[]): string {
  const env = { ...process.env, DATA_DIR: process.env["E2E_DATA_DIR"] };
  const printed = execFileSync(process.execPath, ["dist/server/shop.js", ...words], { env, encoding: "utf8" });
  return printed.trim().split("\n").at(-1) ?? "";
}
