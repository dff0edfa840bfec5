import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Tests, what they need, and documents may name a currency and a time zone; examples have their own. */
const exempt = /^(docs|e2e|bench|faults|src\/testing|examples\/[\w-]+)\/|\.md$|\.test\.tsx?$|\.config\.ts$/;

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => /\.(sql|[cm]?[jt]sx?|json|html|css|sh|ya?ml)$/.test(path) && !exempt.test(path))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

test.each([
  ["currency", /\bEUR\b/g],
  ["time zone", /\bEurope\/Paris\b/g],
])("the %s of an installation is named in one place, the default brand", (_, name) => {
  const named = files.flatMap(({ path, text }) => Array.from(text.matchAll(name), () => path));
  expect(named).toEqual(["brand/brand.json"]);
});
