// `npm run trial`: boots a clean Debian machine and runs the commands of docs/operations.md in it, as they are written.
// The machine is an overlay of this one's disk under systemd-nspawn, without a network: nothing of it stays. As root, with
// the Debian packages systemd-container, postgresql, nginx and pgbouncer; elsewhere it says so and ends with 2.
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nextRelease } from "./trial/next-release.mjs";

const needed = ["/usr/bin/systemd-nspawn", "/usr/bin/pg_createcluster", "/usr/sbin/nginx", "/usr/sbin/pgbouncer"];
const missing = needed.filter((path) => !existsSync(path));
if (process.getuid() !== 0 || missing.length > 0) {
  console.error(`The trial needs root and ${needed.join(", ")}; missing: ${missing.join(", ") || "root"}.`);
  process.exit(2);
}

/** The shell blocks of the guide, by the name in the comment before each. */
const guide = readFileSync("docs/operations.md", "utf8");
const blocks = new Map(
  [...guide.matchAll(/<!-- trial: ([\w-]+) -->\n```sh\n([\s\S]*?)```/g)].map(([, n, s]) => [n, s]),
);

const given = process.argv.find((word) => word.endsWith(".tar.gz"));
const made =
  given ?? spawnSync(process.execPath, ["scripts/release.mjs"], { encoding: "utf8" }).stdout.trim().split("\n").at(-1);
const disk = mkdtempSync(join(tmpdir(), "cercle-trial-"));
const root = join(disk, "root");
const run = (command, ...args) => {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
};
run("mount", "-t", "tmpfs", "tmpfs", disk);
for (const folder of ["upper", "work", "root"]) mkdirSync(join(disk, folder));
run("mount", "-t", "overlay", "overlay", "-o", `lowerdir=/,upperdir=${disk}/upper,workdir=${disk}/work`, root);
const archive = `/root/${basename(made)}`;
copyFileSync(made, join(root, archive));
for (const file of ["load.mjs", "mail-server.mjs"]) copyFileSync(`scripts/trial/${file}`, join(root, "root", file));
const next = `/root/${nextRelease(made, join(root, "root"))}`;
const machine = spawn("systemd-nspawn", ["-q", "--register=no", "--keep-unit", "-D", root, "-b", "--private-network"], {
  stdio: ["ignore", "ignore", "inherit"],
});

let leader;
let failed = 0;
/** Runs a script in the machine; returns what it printed, or throws with it. */
function inside(script, quiet = false) {
  const environment = [
    `ARCHIVE=${archive}`,
    `NEXT=${next}`,
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  ];
  const args = [
    "-t",
    leader,
    "-a",
    "env",
    "-i",
    ...environment,
    "HOME=/root",
    "bash",
    "--norc",
    "-euo",
    "pipefail",
    "-c",
    `cd /; ${script}`,
  ];
  const { status, stdout, stderr } = spawnSync("nsenter", args, { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`ended with ${status}\n${stdout}${stderr}`.trim());
  if (!quiet) for (const line of `${stdout}${stderr}`.trim().split("\n").slice(-6)) console.log(`    ${line}`);
  return stdout;
}

function nameOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}

function step(title, work) {
  const startedAt = Date.now();
  try {
    work();
    console.log(`ok      ${title} (${((Date.now() - startedAt) / 1_000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${title}: ${error.message}`);
  }
}
const block = (name) =>
  step(`guide: ${name}`, () => {
    if (!blocks.has(name)) throw new Error("the guide has no such block");
    inside(blocks.get(name));
  });
const check = (title, script, expected) =>
  step(title, () => {
    const said = inside(script, true).trim();
    if (!expected.test(said)) throw new Error(`said ${JSON.stringify(said.slice(-600))}`);
    console.log(`    ${said.split("\n").at(-1)}`);
  });

try {
  for (let tries = 0; !leader && tries < 300; tries += 1) {
    await sleep(100);
    const children = spawnSync("pgrep", ["-P", String(machine.pid)], { encoding: "utf8" })
      .stdout.trim()
      .split("\n");
    // Before it, a process that only prepares the machine is the first child.
    leader = children.find((pid) => pid && nameOf(pid) === "systemd");
  }
  await sleep(2_000);
  const { trial } = await import("./trial/trial-steps.mjs");
  await trial({ block, check, next: basename(next, ".tar.gz"), first: basename(archive, ".tar.gz") });
} finally {
  machine.kill("SIGTERM");
  await Promise.race([new Promise((resolve) => machine.once("exit", resolve)), sleep(20_000)]);
  machine.kill("SIGKILL");
  spawnSync("umount", [root]);
  spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
}
console.log(failed === 0 ? "Everything went as the guide says." : `${failed} steps failed.`);
process.exitCode = failed === 0 ? 0 : 1;
