import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Line {
  includes: string[];
  linter: { rules: { style: { noRestrictedImports: { options: { patterns: { group: string[] }[] } } } } };
}

/** The linter's layering: one line for each folder, with what it may import. */
const { overrides } = JSON.parse(readFileSync("biome.layers.jsonc", "utf8").replace(/^\/\/.*$/gm, "")) as {
  overrides: Line[];
};

/** Stands above all other folders: it may import every one of them. */
const exempt = ["src/testing"];

const folders = [
  ...new Set(
    readdirSync("src", { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => entry.parentPath),
  ),
].filter((folder) => !exempt.includes(folder));

/** The folder itself and those around it, up to the first below `src/`. */
function withParents(folder: string): string[] {
  const parts = folder.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join("/"));
}

test.each(folders)("%s has its line in biome.layers.jsonc, which refuses every import it does not name", (folder) => {
  const patterns = [`${folder}/*`, ...withParents(folder).map((parent) => `${parent}/**`)];
  const lines = overrides.filter(({ includes }) => patterns.includes(includes[0] ?? ""));
  expect(lines.length).toBeGreaterThan(0);
  for (const { linter } of lines)
    expect(linter.rules.style.noRestrictedImports.options.patterns[0]?.group).toEqual(
      expect.arrayContaining(["#*/**", "../**/*.ts", "../**/*.tsx"]),
    );
});

test("every line of biome.layers.jsonc below src is about a folder that exists", () => {
  const known = new Set([...folders.flatMap(withParents), ...exempt]);
  const stale = overrides
    .map(({ includes }) => includes[0]?.replace(/\/\*+$/, "") ?? "")
    .filter((folder) => folder.startsWith("src/") && !known.has(folder));
  expect(stale).toEqual([]);
});
