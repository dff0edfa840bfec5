import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";

/**
 * The documents name files as `src/module/file.ts` and symbols as `src/module/file.ts#symbol`, from the repository's root.
 * These tests look each of them up, so that a renamed or moved file or function is found here and not by a reader.
 */
const decisions = readdirSync("docs/decisions").filter((name) => /^\d.*\.md$/.test(name));
const documents = [
  ...readdirSync(".").filter((name) => name.endsWith(".md")),
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  ...decisions.map((name) => `docs/decisions/${name}`),
  "docs/decisions/README.md",
];

const read = (path: string) => readFileSync(path, "utf8");

const folders = [
  ".ci",
  ".devcontainer",
  ".github",
  "bench",
  "brand",
  "db",
  "deploy",
  "docs",
  "e2e",
  "faults",
  "examples",
  "packages",
  "messages",
  "scripts",
  "src",
];
/** Everything that a document may name: folders and files of the repository, as paths from its root. */
const tree = folders
  .flatMap((folder) => [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  ])
  .filter((path) => !path.includes("node_modules"))
  .concat(readdirSync(".", { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entry.name : [])));

const fileName = /\.(tsx?|mjs|jsonc?|sql|md|css|ya?ml|conf|service)$/;
/** What the build, the product or npm makes is not in the repository. */
const generated = /^(dist|var|node_modules|test-results)\//;

/** The paths a spelling stands for: `{a,b}` is both, `*` is any part of a name. */
function found(spelling: string): string[][] {
  const choice = /\{([^{}]*)\}/.exec(spelling);
  if (choice) return (choice[1] ?? "").split(",").flatMap((one) => found(spelling.replace(choice[0], one)));
  const pattern = new RegExp(`^${spelling.replace(/[.+^$()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*")}$`);
  const named = spelling.replace(/\/$/, "");
  // A bare name, such as `calls.ts`, speaks of every file of that name.
  if (!named.includes("/")) return [tree.filter((path) => pattern.test(basename(path)) || path === named)];
  return [tree.filter((path) => path === named || pattern.test(path))];
}

/** What a file imports is at home elsewhere: a symbol that has moved away is not found where it is only used. */
function says(path: string, symbol: string): boolean {
  if (!existsSync(path) || !/\.\w+$/.test(path)) return false;
  const text = read(path);
  if (!/^\w+$/.test(symbol)) return text.includes(symbol);
  const word = new RegExp(`\\b${symbol}\\b`);
  const imported = text.match(/^import\b[^;]*?\bfrom\b/gm) ?? [];
  return word.test(text) && !imported.some((names) => word.test(names));
}

/** What stands between backticks and looks like a file or folder of this repository. */
function referencesOf(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, words = ""]) => words)
    .filter((words) => {
      const [path = ""] = words.split("#");
      if (!/^[\w.@*{][\w./@*{},-]*$/.test(path) || generated.test(path)) return false;
      return fileName.test(path) || (path.includes("/") && folders.includes(path.split("/")[0] ?? ""));
    });
}

/** The references and links of a document that lead nowhere. */
function missing(markdown: string, folder: string): string[] {
  const references = referencesOf(markdown).filter((reference) => {
    const at = reference.indexOf("#");
    const paths = found(at < 0 ? reference : reference.slice(0, at));
    if (paths.some((some) => some.length === 0)) return true;
    return at >= 0 && !paths.flat().some((path) => says(path, reference.slice(at + 1)));
  });
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target.replace(/#.*$/, ""))
    .filter((target) => target !== "" && !/^\w+:/.test(target) && !existsSync(join(folder, target)));
  return [...references, ...links];
}

test.each(documents)("%s names only files, symbols and pages that exist", (path) => {
  expect(missing(read(path), dirname(path)).join("\n")).toBe("");
});

test.each([
  ["a file that is gone", "`src/app/gone.ts`", ["src/app/gone.ts"]],
  ["a path that does not begin at the root", "`app/server.ts`", ["app/server.ts"]],
  ["a folder that is gone", "`src/gone/`", ["src/gone/"]],
  ["a symbol that is gone", "`src/app/server.ts#createGone`", ["src/app/server.ts#createGone"]],
  ["a symbol that a file only imports", "`src/app/server.ts#createApi`", ["src/app/server.ts#createApi"]],
  ["one of several files", "`messages/{fr,xx}.json`", ["messages/{fr,xx}.json"]],
  ["a bare name that no file has", "each module's `gone.server.ts`", ["gone.server.ts"]],
  ["a link that leads nowhere", "[here](docs/gone.md#part)", ["docs/gone.md"]],
  [
    "nothing, where all is there",
    "`src/app/server.ts#createServer`, `*.page.tsx`, `POST customer`, [a](README.md)",
    [],
  ],
])("the check sees %s", (_, markdown, lost) => {
  expect(missing(markdown, ".")).toEqual(lost);
});

test("every statement of the specification names where it lives, and the test that shows it or why there is none", () => {
  const rows = read("docs/specification.md")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| statement"))
    .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "").trim()))
    .filter(([statement = ""]) => !/^\*\*[^*]+\*\*$/.test(statement));
  expect(rows.length).toBeGreaterThan(50);
  for (const [statement = "", place = "", shown = ""] of rows) {
    expect(referencesOf(place), statement).not.toEqual([]);
    if (shown.startsWith("no test: ")) continue;
    const tests = referencesOf(shown).flatMap((reference) => found(reference.replace(/#.*$/, "")).flat());
    expect(tests, statement).not.toEqual([]);
    for (const path of tests) expect(path, statement).toMatch(/\.(test|spec)\.tsx?$/);
  }
});

test("every decision has a number of its own, a title without it, and a line with its status and date", () => {
  const numbers = decisions.map((name) => name.slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const name of decisions) {
    const [title = "", , status = ""] = read(`docs/decisions/${name}`).split("\n");
    expect(name).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
    expect(title, name).toMatch(/^# [^\d]/);
    expect(status, name).toMatch(/^Status: (accepted|superseded by \d{4}), \d{4}-\d\d-\d\d$/);
  }
});

test("the index of decisions names each with its title", () => {
  const titles = decisions.sort().map((name) => {
    const [title = ""] = read(`docs/decisions/${name}`).split("\n");
    return `- [${name.slice(0, 4)}](${name}) ${title.slice(2)}`;
  });
  const index = read("docs/decisions/README.md").split("\n");
  expect(index.filter((line) => line.startsWith("- "))).toEqual(titles);
});
