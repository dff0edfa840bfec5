import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brandWith } from "#testing/brand.server.ts";
import { checkBrand } from "./check-brand.server.ts";

interface Programme {
  tiers: [{ name: Record<string, string> }, { name: Record<string, string> }];
  events: [{ proof: string }];
  [field: string]: unknown;
}

test("the default brand and the example have no problems", async () => {
  expect(await checkBrand("brand")).toEqual([]);
  expect(await checkBrand("examples/brand-nord")).toEqual([]);
});

test("every problem is reported, not the first alone, each with file and field", async () => {
  const directory = brandWith({
    "theme.json": (theme: { Colours: Record<string, string> }) => {
      theme.Colours["Soft"] = "#999999";
    },
    "icon.svg": '<svg viewBox="0 0 9 9"><script/></svg>',
    "messages/fr.json": { "home.nothing": "x" },
  });
  const problems = await checkBrand(directory);
  for (const line of [/theme\.json: soft: /, /icon\.svg: svg: it holds script/, /fr\.json: home\.nothing: /])
    expect(problems.some((problem) => line.test(problem))).toBe(true);
});

test("a font without a letter that is needed is reported, and one without its licence", async () => {
  const directory = brandWith({});
  mkdirSync(join(directory, "fonts"));
  copyFileSync("examples/brand-nord/fonts/figtree.woff2", join(directory, "fonts/figtree.woff2"));
  expect(await checkBrand(directory)).toEqual([
    expect.stringMatching(/fonts: the folder: the fonts' licence is missing/),
    expect.stringMatching(/figtree\.woff2: the font: it lacks the narrow space U\+202F/),
  ]);
});

// It has no types.
const { PNG }: { PNG: { sync: { read(file: Buffer): { width: number; height: number; data: Buffer } } } } =
  createRequire(import.meta.url)("pngjs");

test.each(["brand", "examples/brand-nord"])("the logo of %s is whole in the header of its emails", (directory) => {
  const { width, height, data } = PNG.sync.read(readFileSync(join(directory, "derived/email-header.png")));
  const row = (y: number) => data.subarray(4 * width * y, 4 * width * (y + 1));
  const paper = data.subarray(0, 4).toString("hex").repeat(width);
  // A logo that is cut off reaches an edge.
  for (const y of [0, height - 1]) expect(row(y).toString("hex"), `row ${y}`).toBe(paper);
});

test("nothing of the default brand is in the files of the example", () => {
  const named = () => execFileSync("grep", ["-rliE", "cercle|jost|bodoni", "examples/brand-nord"]).toString();
  expect(named).toThrow();
});

test("the page that explains a brand's folder names every field of both files", () => {
  const page = readFileSync("docs/brand.md", "utf8");
  const fieldsOf = (file: string) => Object.keys(JSON.parse(readFileSync(file, "utf8")));
  const files = ["brand", "examples/brand-nord"].flatMap((folder) => [`${folder}/brand.json`, `${folder}/theme.json`]);
  for (const field of files.flatMap(fieldsOf)) expect(page, field).toMatch(new RegExp(`^\\| [^|]*\\b${field}\\b`, "m"));
});

test.each<[string, (programme: Programme) => void, RegExp]>([
  ["an unknown field", (programme) => (programme["colour"] = "red"), /programme\.json: the file: .*"colour"/],
  [
    "no points for a purchase",
    (programme) => (programme["pointsPerEuro"] = 0),
    /programme\.json: pointsPerEuro: Enter/,
  ],
  ["a text that is missing", ({ tiers }) => (tiers[1].name.en = ""), /programme\.json: tiers\.1\.name\.en: /],
  ["tiers out of order", ({ tiers }) => tiers.reverse(), /programme\.json: tiers\.0\.pointsRequired: /],
  [
    "an event that the product cannot see",
    ({ events }) => (events[0].proof = "walk"),
    /programme\.json: events\.0\.id: /,
  ],
])("of the first programme, %s is reported with its field", async (_, change, line) => {
  const programme = JSON.parse(readFileSync("db/programme.json", "utf8"));
  change(programme);
  expect(await checkBrand(brandWith({ "programme.json": programme }))).toContainEqual(expect.stringMatching(line));
});

/** What a retailer may get wrong; another currency than the database's: src/platform/database/migrations/installation.test.ts. */
test.each<[string, () => string, string, string]>([
  [
    "a drawing with script",
    () => brandWith({ "logo.svg": '<svg viewBox="0 0 9 9"><script/></svg>' }),
    "logo.svg",
    "svg",
  ],
  ["a contrast of 3", () => withTheme(({ Colours }) => (Colours["Soft"] = "#949494")), "theme.json", "soft"],
  ["an unknown key", () => withTheme((theme) => Object.assign(theme, { Color: "red" })), "theme.json", "the file"],
  [
    "a missing placeholder",
    () => brandWith({ "messages/fr.json": { "shell.language": "Langue" } }),
    "messages/fr.json",
    "shell.language",
  ],
  [
    "a font without ß",
    () => withFont("@fontsource/bodoni-moda/files/bodoni-moda-latin-ext-500-normal"),
    "font.woff2",
    "the font",
  ],
])("%s is reported with file and field", async (_, make, file, field) => {
  expect(await checkBrand(make())).toContainEqual(expect.stringContaining(`${file}: ${field}: `));
});

function withTheme(change: (theme: { Colours: Record<string, string> }) => void): string {
  return brandWith({ "theme.json": change });
}

function withFont(name: string): string {
  const directory = brandWith({ "fonts/LICENSE": "" });
  copyFileSync(`node_modules/${name}.woff2`, join(directory, "fonts/font.woff2"));
  return directory;
}
