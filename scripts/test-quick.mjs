// Lint, types, and the unit and API tests beside what changed since main: under 90 seconds for a change of a few files.
// Vitest's own --changed follows imports; every API test opens the whole product, so it would select nearly all of them.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const [since = "main"] = process.argv.slice(2);
const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
const changed = new Set([
  ...git("diff", "--name-only", git("merge-base", since, "HEAD")[0]),
  ...git("ls-files", "--others", "--exclude-standard"),
]);

const isTest = (name) => /(?<!\.browser)\.test\.tsx?$/.test(name);
const testsIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(isTest)
        .map((name) => join(folder, name))
    : [];

/** The tests about a file: itself, the test of its name, or those of its folder, or of the nearest above that has any. */
function testsOf(file) {
  if (file.startsWith("db/")) return testsIn("src/platform/database");
  if (file.startsWith("messages/")) return testsIn("src/i18n");
  if (!file.startsWith("src/") || file.includes(".browser.test.")) return [];
  if (isTest(file)) return [file].filter(existsSync);
  const own = `${file.replace(/(\.(server|tables|page|data|layout))*\.tsx?$/, "")}.test.ts`;
  if (existsSync(own)) return [own];
  for (let folder = dirname(file); folder !== "src" && folder !== "."; folder = dirname(folder)) {
    const found = testsIn(folder);
    if (found.length > 0) return found;
  }
  return [];
}

const files = [...new Set([...changed].flatMap(testsOf))].sort();

async function run(title, name, args) {
  const child = spawn(join("node_modules", ".bin", name), args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const [status] = await once(child, "close");
  console.log(`\n— ${title}\n${output}`);
  return status === 0 ? [] : [title];
}

console.log(
  files.length > 0
    ? `Tests beside what changed since ${since}:\n  ${files.join("\n  ")}`
    : "No test is beside a change.",
);
const failed = (
  await Promise.all([
    run("lint and format", "biome", ["check", "--error-on-warnings", "."]),
    run("types", "tsc", ["--noEmit", "--singleThreaded"]),
    run("types of the service worker", "tsc", ["--noEmit", "-p", "tsconfig.worker.json"]),
    files.length > 0 ? run("unit and API tests", "vitest", ["run", ...files]) : [],
  ])
).flat();
console.log(failed.length > 0 ? `Failed: ${failed.join(", ")}` : "All passed. Before a commit lands: npm test");
process.exit(failed.length > 0 ? 1 : 0);
