import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fileNames, fileOf, typeOf } from "./columns.server.ts";

/** The table of docs/moving.md. */
const table = [
  "| file | column | value |",
  "|---|---|---|",
  ...fileNames.flatMap((name) =>
    Object.entries(fileOf(name).columns).map(
      ([field, column], index) =>
        `| ${index === 0 ? `${name}.csv` : ""} | ${field}${column.required ? " *" : ""} | ${typeOf(column).describe} |`,
    ),
  ),
].join("\n");

test("docs/moving.md lists every file and column of a package", () => {
  expect(readFileSync("docs/moving.md", "utf8")).toContain(table);
});
