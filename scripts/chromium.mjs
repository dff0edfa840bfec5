// Finds a Chromium: the variable CHROMIUM, an installed one, or Debian's, which is installed for root and unpacked into the home
// folder for anybody else. The headless shell comes first: without a user interface of its own it runs the same tests in four
// fifths of the time. The build that npm has, @sparticuz/chromium, crashed on pages of the tests where no fonts are installed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const own = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

export async function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const found = own.find(existsSync);
  if (found) return found;
  try {
    if (existsSync("/usr/bin/apt-get")) return await (process.getuid?.() === 0 ? install() : unpack());
  } catch {
    // What apt-get says stands above.
  }
  throw new Error("No Chromium found: install one, or name it in the variable CHROMIUM.");
}

async function run(command, args) {
  const [status] = await once(spawn(command, args, { stdio: ["ignore", "ignore", "inherit"] }), "close");
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

async function install() {
  console.log("No Chromium here: installing Debian's…");
  await run("apt-get", ["update", "-qq"]);
  await run("apt-get", ["install", "-y", "-qq", "chromium", "chromium-headless-shell"]);
  return "/usr/bin/chromium-headless-shell";
}

/** Downloads Debian's package with what it needs and the machine lacks, and unpacks it: no one has to be root for that. */
async function unpack() {
  const home = join(homedir(), ".cache", "cercle-chromium");
  const start = join(home, "start");
  if (existsSync(start)) return start;
  console.log(`No Chromium here: unpacking Debian's into ${home}…`);
  const fresh = `${home}.${process.pid}`;
  for (const folder of ["lists/partial", "archives/partial", "root"])
    mkdirSync(join(fresh, folder), { recursive: true });
  const ownFolders = [
    ...["-o", `Dir::State::Lists=${fresh}/lists`, "-o", `Dir::Cache=${fresh}`],
    ...["-o", `Dir::Cache::archives=${fresh}/archives`, "-o", "Debug::NoLocking=true"],
  ];
  await run("apt-get", [...ownFolders, "update", "-qq"]);
  const what = ["--download-only", "--no-install-recommends", "-y", "-qq", "install", "chromium-headless-shell"];
  await run("apt-get", [...ownFolders, ...what]);
  for (const file of readdirSync(`${fresh}/archives`))
    if (file.endsWith(".deb")) await run("dpkg", ["-x", `${fresh}/archives/${file}`, `${fresh}/root`]);
  rmSync(`${fresh}/archives`, { recursive: true });
  rmSync(`${fresh}/lists`, { recursive: true });
  const root = join(home, "root");
  writeFileSync(
    `${fresh}/fonts.conf`,
    `<fontconfig><dir>/usr/share/fonts</dir><dir>${root}/usr/share/fonts</dir><cachedir>${home}/fonts</cachedir></fontconfig>\n`,
  );
  writeFileSync(
    `${fresh}/start`,
    `#!/bin/sh
for libraries in "${root}"/usr/lib/*-linux-gnu* "${root}"/lib/*-linux-gnu*; do
  LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$libraries:$libraries/pulseaudio"
done
export LD_LIBRARY_PATH FONTCONFIG_FILE="${home}/fonts.conf"
exec "${root}/usr/lib/chromium/chromium-headless-shell" "$@"
`,
    { mode: 0o755 },
  );
  // Whole or not at all, should a person stop it half-way. Another run may have been faster.
  if (existsSync(start)) rmSync(fresh, { recursive: true });
  else renameSync(fresh, home);
  return start;
}
