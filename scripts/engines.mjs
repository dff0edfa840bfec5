// Walks the product in every browser engine that this machine has: npm run engines [-- chromium firefox webkit].
// As root on Debian it installs what is missing; for anybody else it says which packages to install.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "./chromium.mjs";

const machine = { arm64: "aarch64", x64: "x86_64" }[process.arch];
/** What each engine needs: a file that shows it is there, and the Debian package that brings it. */
const engines = {
  chromium: {},
  firefox: { [process.env.FIREFOX ?? "/usr/bin/firefox-esr"]: "firefox-esr" },
  webkit: {
    "/usr/bin/WebKitWebDriver": "webkit2gtk-driver",
    [`/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`]: "libwebkit2gtk-4.1-0",
    "/usr/bin/Xvfb": "xvfb",
    "/usr/bin/openbox": "openbox",
    // WebKit takes its language from the system's: French is compiled below.
    "/usr/share/i18n/locales/fr_FR": "locales",
  },
};

const asked = process.argv.slice(2).filter((one) => one in engines);
const options = process.argv.slice(2).filter((one) => !(one in engines));
const chosen = asked.length > 0 ? asked : Object.keys(engines);

const missingOf = (engine) =>
  Object.entries(engines[engine])
    .filter(([file]) => !existsSync(file))
    .map(([, name]) => name);
// A second reader of barcodes; without it zxing reads alone.
const reader = existsSync("/usr/bin/zbarimg") ? [] : ["zbar-tools"];
const missing = [...new Set(chosen.flatMap(missingOf)), ...reader];
if (missing.length > 0 && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
  console.log(`Installing ${missing.join(" ")}…`);
  const run = (...args) => execFileSync("apt-get", [...args, "-qq"], { stdio: ["ignore", "ignore", "inherit"] });
  run("update");
  run("install", "-y", "--no-install-recommends", ...missing);
}
const ready = chosen.filter((engine) => missingOf(engine).length === 0);
for (const engine of chosen.filter((one) => !ready.includes(one)))
  console.log(`No walk in ${engine}: install ${missingOf(engine).join(" ")}.`);

const locales = join(tmpdir(), `cercle-locales-${process.getuid?.()}`);
const french = join(locales, "fr_FR.UTF-8");
if (ready.includes("webkit") && !existsSync(french)) {
  mkdirSync(locales, { recursive: true });
  execFileSync("localedef", ["-i", "fr_FR", "-f", "UTF-8", french]);
}

const { status } = spawnSync(
  "node_modules/.bin/playwright",
  ["test", "-c", "playwright.engines.config.ts", ...options],
  {
    stdio: "inherit",
    env: { ...process.env, CHROMIUM: await findChromium(), ENGINES: ready.join(" "), WEBKIT_LOCALES: locales },
  },
);
process.exit(status ?? 1);
