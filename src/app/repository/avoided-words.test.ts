import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Patterns of words that only this repository would use, each with the term to write instead. */
const list = "docs/avoided-words.json";
const avoided = Object.entries(JSON.parse(readFileSync(list, "utf8")) as Record<string, string>);

const folders = ["src", "e2e", "bench", "faults", "scripts", "db", "docs"];
const files = [
  ...readdirSync("."),
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  ),
].filter((path) => /\.(tsx?|mjs|sql|md|css)$/.test(path) && !path.includes("node_modules"));

test("code and documents use the terms of the glossary, not words of our own", () => {
  const found = files.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    return avoided
      .filter(([pattern]) => new RegExp(pattern).test(text))
      .map(([pattern, instead]) => `${path}: ${pattern} → ${instead}`);
  });
  expect(found).toEqual([]);
});
