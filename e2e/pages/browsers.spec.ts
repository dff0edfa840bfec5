import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { missingInScript, missingInStyle } from "../support/browser-range.ts";

const built = "dist/client";

/** Tables of docs/browsers.md by their heading: the features a row names, and its second column. */
const tables = readFileSync("docs/browsers.md", "utf8")
  .split("\n## ")
  .slice(1)
  .map((section) =>
    section
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) => {
        const [, features = "", second = ""] = line.split("|");
        return [...features.matchAll(/`([^`]+)`/g)].map(([, feature = ""]) => ({ feature, second }));
      }),
  );
const [withFallback = [], inLibraries = [], sameName = []] = tables;

/** The style sheets that the pages, the till and the back office load, each with what it is loaded beside. */
const styleSheets = [["browser"], ["browser", "till", "camera"], ["office"]];

test("every value that a style sheet uses is defined where it is loaded", () => {
  const files = readdirSync(`${built}/assets`).filter((name) => name.endsWith(".css"));
  for (const names of styleSheets) {
    const loaded = files.filter((file) => names.some((name) => file.startsWith(`${name}-`)));
    expect(loaded).toHaveLength(names.length);
    const css = loaded.map((file) => readFileSync(`${built}/assets/${file}`, "utf8")).join("\n");
    const defined = new Set([...css.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name));
    const used = new Set([...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
    // Set by the table itself, for each of its columns.
    const missing = [...used].filter((name) => !defined.has(name) && !name?.startsWith("--head-"));
    expect(missing, names.join(", ")).toEqual([]);
  }
});

test("what the browsers of the range lack is listed with its fallback and asked for before use", () => {
  const found = readdirSync(built, { recursive: true, encoding: "utf8" }).flatMap((path) => {
    const file = path.replace(/^assets\//, "").replace(/(-[\w-]{8})?\.(js|css)$/, "");
    if (path.endsWith(".js")) return missingInScript(file, readFileSync(`${built}/${path}`, "utf8"));
    if (path.endsWith(".css")) return missingInStyle(file, readFileSync(`${built}/${path}`, "utf8"));
    return [];
  });
  const isIn = (rows: { feature: string }[], feature: string) => rows.some((row) => feature.startsWith(row.feature));
  const used = [...new Set(found.map(({ feature }) => feature))];
  expect.soft(used.filter((feature) => !isIn(tables.flat(), feature))).toEqual([]);
  const unguarded = found.filter(
    ({ feature, file, unguarded }) =>
      unguarded &&
      !isIn(sameName, feature) &&
      !isIn(
        inLibraries.filter(({ second }) => second.includes(`\`${file}\``)),
        feature,
      ),
  );
  expect.soft(unguarded.map(({ feature, file }) => `${feature} in ${file}`)).toEqual([]);
  const unneeded = tables.flat().filter((row) => !used.some((feature) => feature.startsWith(row.feature)));
  expect.soft(unneeded.map(({ feature }) => feature)).toEqual([]);
  expect(withFallback.length).toBeGreaterThan(0);
});

const scripts: [script: string, unguarded: string[]][] = [
  ["export const seen = (e) => e.checkVisibility()", ["api.Element.checkVisibility"]],
  ["export const seen = (e) => e.checkVisibility?.() ?? true", []],
  ["export const groups = Object.groupBy([1], (n) => n)", ["javascript.builtins.Object.groupBy"]],
  ["export const pair = Promise.withResolvers()", ["javascript.builtins.Promise.withResolvers"]],
  ["export const read = () => new BarcodeDetector()", ["api.BarcodeDetector"]],
  ["if (typeof BarcodeDetector === 'function') new BarcodeDetector()", []],
  ["export const saves = () => navigator.connection.saveData", ["api.Navigator.connection"]],
  ["export function saves() { if (!('connection' in navigator)) return; return navigator.connection.saveData }", []],
  ["export const sorted = [2, 1].toSorted()", []],
];
for (const [script, unguarded] of scripts)
  test(`script: ${script}`, () => {
    const found = missingInScript("probe.js", script).filter((one) => one.unguarded);
    expect(found.map(({ feature }) => feature)).toEqual(unguarded);
  });

const styles: [style: string, features: string[]][] = [
  ["a { anchor-name: --a }", ["css.properties.anchor-name"]],
  ["@starting-style { a { opacity: 0 } }", ["css.at-rules.starting-style"]],
  ["a { text-wrap: balance }", ["css.properties.text-wrap"]],
  ["a:user-invalid { color: red }", ["css.selectors.user-invalid"]],
  ["@media (scripting: none) { a { color: red } }", ["css.at-rules.media.scripting"]],
  ["a { -webkit-print-color-adjust: exact; print-color-adjust: exact }", []],
  ["a:has(b) { display: grid; container-type: inline-size; color: color-mix(in oklab, red, blue) }", []],
];
for (const [style, features] of styles)
  test(`style sheet: ${style}`, () => {
    expect(missingInStyle("probe.css", style).map(({ feature }) => feature)).toEqual(features);
  });
