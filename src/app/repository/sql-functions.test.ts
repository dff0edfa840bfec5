import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every SQL function is named by its file in TypeScript, beside the rule it is part of", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
    .map((path) => readFileSync(`src/${path}`, "utf8"))
    .join("\n");
  const files = readdirSync("db/functions").filter((file) => file.endsWith(".sql"));
  expect(files.filter((file) => !sources.includes(`db/functions/${file}`))).toEqual([]);
});
