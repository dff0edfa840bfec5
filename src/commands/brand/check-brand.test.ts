import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brandWith } from "#testing/brand.server.ts";
import { checkBrand } from "./check-brand.server.ts";

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

test("nothing of the default brand is in the files of the example", () => {
  const named = () => execFileSync("grep", ["-rliE", "cercle|jost|bodoni", "examples/brand-nord"]).toString();
  expect(named).toThrow();
});
