// All checks: lint and format, types, unused code, unit and API tests, component tests, browser tests. Ends with the names of what failed, and "N passed, N failed".
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem, setPriority, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findChromium } from "./chromium.mjs";

const folder = mkdtempSync(join(memoryDisk() ?? tmpdir(), "cercle-tests-"));
// Run as root, databases belong to another user, who must be able to enter.
chmodSync(folder, 0o755);
// For all that the tests write: databases above all, of which each file of unit tests has its own.
process.env["TMPDIR"] = folder;
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
let passed = 0;
const failures = [];

/** A disk in memory, where there is room: copying a database takes a quarter of the time. */
function memoryDisk() {
  const path = "/dev/shm";
  const roomNeeded = 3 * 1_024 ** 3;
  try {
    accessSync(path, constants.W_OK);
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > roomNeeded && freemem() > 2 * roomNeeded ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Runs a program; with `later` its output comes in one piece when it has ended, with a `priority` others go first. */
async function run(title, command, args, { env = {}, later = false, priority = 0 } = {}) {
  if (!later) console.log(`\n— ${title}`);
  const options = { stdio: later ? ["ignore", "pipe", "pipe"] : "inherit", env: { ...process.env, ...env } };
  const child = spawn(command, args, options);
  if (child.pid && priority) setPriority(child.pid, priority);
  let output = "";
  if (later) for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const [status] = await once(child, "close");
  if (later) console.log(`\n— ${title}\n${output}`);
  return status === 0;
}

function count(ok, title) {
  if (ok) passed += 1;
  else failures.push(title);
}

const bin = (name) => join("node_modules", ".bin", name);
const checks = [
  ["lint and format", "biome", ["check", "--error-on-warnings", "."]],
  // By itself in four threads, which check the same types several times over.
  ["types", "tsc", ["--noEmit", "--singleThreaded"]],
  ["types of the service worker", "tsc", ["--noEmit", "-p", "tsconfig.worker.json"]],
  ["unused code", "knip", []],
];
// Where it is installed first, the tests that need none do not wait for it.
const chromium = findChromium().catch((error) => console.log(error.message));
// All beside each other, since each waits now and then: for its files, the database, its browser, a timer. The browser
// tests start as soon as there is a build; what is shown as it goes is theirs, being the longest.
await Promise.all([
  buildAndBrowse(),
  // With React as customers get it, which renders faster.
  runVitest("unit and API tests", "unit.json", [], { env: { NODE_ENV: "production" } }),
  testComponents(),
  ...checks.map(async ([title, name, args]) =>
    count(await run(title, bin(name), args, { later: true, priority: 10 }), title),
  ),
]);

async function testComponents() {
  const CHROMIUM = await chromium;
  if (!CHROMIUM) return count(false, "component tests: no Chromium");
  await runVitest("component tests", "components.json", ["-c", "vitest.browser.config.ts"], { env: { CHROMIUM } });
}

async function buildAndBrowse() {
  const built = await run("build", process.execPath, ["scripts/build.mjs", "--when-stale"], { later: true });
  count(built, "build");
  if (!built) return;
  const CHROMIUM = await chromium;
  if (!CHROMIUM) return count(false, "browser tests: no Chromium");
  const seed = String(Math.floor(Math.random() * 100_000));
  // One project after the other: shuffled among each other, every other test would start a browser of the other kind.
  for (const project of ["without pictures", "pictures"]) await runPlaywright(project, seed, { CHROMIUM });
}

async function runPlaywright(project, seed, chromium) {
  const report = join(folder, "browser.json");
  const title = `browser tests, in an order that playwright test --project "${project}" --shuffle ${seed} repeats`;
  const output = join("test-results", project);
  const args = ["test", "--project", project, "--output", output, "--shuffle", seed, "--reporter=list,json"];
  const ok = await run(title, bin("playwright"), args, { env: { ...chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report } });
  if (!ok)
    console.log(
      "What failed browser tests had on the screen is in test-results/; with --trace on, or in CI, also each step.",
    );
  countReport("browser tests", ok, () => {
    const { stats, suites } = JSON.parse(readFileSync(report, "utf8"));
    if (stats.skipped > 0)
      console.log(`${stats.skipped} browser tests were skipped: this machine cannot do what they need.`);
    return [stats.expected, suites.flatMap(failedSpecs)];
  });
}

async function runVitest(title, file, args = [], options = {}) {
  const report = join(folder, file);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const ok = await run(title, bin("vitest"), ["run", ...args, ...reporters], { ...options, later: true });
  countReport(title, ok, () => {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    const failedOf = ({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName, failureMessages }) => `${relative(".", name)} › ${fullName}${reason(failureMessages)}`);
    return [numPassedTests, testResults.flatMap(failedOf)];
  });
}

function failedSpecs({ specs, suites = [] }) {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
      return `e2e/${file}:${line} › ${title}${reason(errors.map(({ message }) => message))}`;
    });
  return [...own, ...suites.flatMap(failedSpecs)];
}

/** The first lines of what went wrong: of a long output, often the end alone is kept. */
function reason(messages) {
  const lines = stripVTControlCharacters(messages.join("\n")).split("\n");
  return lines
    .filter((line) => line.trim())
    .slice(0, 12)
    .map((line) => `\n      ${line}`)
    .join("");
}

/** A runner that fails without naming a failed test (a crash, no test found) counts as one failure. */
function countReport(title, ok, read) {
  try {
    const [good, bad] = read();
    passed += good;
    if (bad.length > 0) failures.push(...bad);
    else if (!ok || good === 0) failures.push(title);
  } catch {
    failures.push(title);
  }
}

if (failures.length > 0) console.log(["\nFailed:", ...failures].join("\n  "));
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
