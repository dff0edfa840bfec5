// Writes biome.layers.jsonc from modules.json, the table of which module may import which. `node scripts/layers.mjs`; with --print it is printed.
import { readFileSync, writeFileSync } from "node:fs";

const rule = (includes, group, message) => ({
  includes,
  linter: {
    rules: { style: { noRestrictedImports: { level: "error", options: { patterns: [{ group, message }] } } } },
  },
});

/** Refuses every "#" import that is not allowed, and every "../". Tests may import everything. */
const moduleRule = (folder, allowed, message) =>
  rule(
    [folder, "!**/*.test.*"],
    ["#*/**", "../**/*.ts", "../**/*.tsx", ...allowed.map((path) => `!#${path}`)],
    message,
  );

const list = (words) => words.split(" ").filter(Boolean);

function moduleRules([name, module]) {
  const { shared = [], order = "" } = module;
  const uses = list(module.uses);
  const others = uses.map((other) => `${other}/**`);
  const message = `${name} may import ${uses.join(", ") || "nothing"}`;
  const parts = list(order);
  if (parts.length === 0) return [moduleRule(`src/${name}/**`, [...others, `${name}/**`], `${message}: modules.json.`)];
  const own = shared.map((file) => `${name}/${file}`);
  // Files directly in the module compose its parts, unless every part may import them.
  const direct = shared.includes("*.ts") ? own : [`${name}/**`];
  return [
    moduleRule(`src/${name}/*`, [...others, ...direct], `${message}: modules.json.`),
    ...parts.map((part, index) => {
      const before = parts.slice(0, index + 1).map((earlier) => `${name}/${earlier}/**`);
      return moduleRule(
        `src/${name}/${part}/**`,
        [...others, ...own, ...before],
        `${message}, and a part of it those before: ${order}: modules.json.`,
      );
    }),
  ];
}

const outside = [
  rule(["src/testing/**", "!**/*.test.*"], ["../**/*.ts", "../**/*.tsx"], "testing may import all of src, by # alone."),
  rule(
    ["e2e/**"],
    ["#*/**", "**/src/**"],
    "Browser tests know the product from outside: by its addresses, its texts and its processes.",
  ),
  rule(
    ["bench/**", "faults/**", "!**/*.test.*"],
    ["#testing/**", "#commands/**", "#sandbox/**", "**/src/**"],
    "bench and faults measure the product itself: no helpers of tests, no commands, and src by # alone.",
  ),
];

/** The text of biome.layers.jsonc. */
function layers() {
  const modules = Object.entries(JSON.parse(readFileSync("modules.json", "utf8")));
  const overrides = [...modules.flatMap(moduleRules), ...outside];
  const lines = overrides.map((override) => `    ${JSON.stringify(override)}`).join(",\n");
  return `// Written by scripts/layers.mjs from modules.json.\n{\n  "overrides": [\n${lines}\n  ]\n}\n`;
}

if (process.argv.includes("--print")) process.stdout.write(layers());
else writeFileSync("biome.layers.jsonc", layers());
