import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const textOf = (pattern: string) =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", pattern])
    .toString()
    .split("\n")
    .filter((file) => file && !file.includes(".test."))
    .map((file) => readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^@(import|source).*$/gm, ""))
    .join("\n");
const styles = textOf("src/*.css");
const code = textOf("src/*.tsx");
/** Of the till and the back office, which name their own classes. */
const own = /(?:till|office|programme)-[a-z-]+/g;
const namesIn = (text: string) => [...new Set([...text.matchAll(own)].map(([name]) => name))].sort();

test("every class of the till and the back office has a style, and every style is used", () => {
  const styled = namesIn([...styles.matchAll(/\.[a-z][\w-]*/g)].join(" "));
  const used = namesIn([...code.matchAll(/className=(?:"[^"]*"|\{[^}]*\})/g)].join(" "));
  expect(used.filter((name) => !styled.includes(name))).toEqual([]);
  expect(styled.filter((name) => !code.includes(name))).toEqual([]);
});
