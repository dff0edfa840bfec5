import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Which module may import which. */
const modules = JSON.parse(readFileSync("modules.json", "utf8")) as Record<string, { uses: string; order?: string }>;
/** It may import every module. */
const exempt = "testing";

const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

test("the linter's configuration is what scripts/layers.mjs writes from modules.json", () => {
  const written = execFileSync(process.execPath, ["scripts/layers.mjs", "--print"]);
  expect(readFileSync("biome.layers.jsonc", "utf8")).toBe(written.toString());
});

test("every folder of src is in modules.json, and every part of a module that has an order", () => {
  expect(Object.keys(modules).sort()).toEqual(
    folders("src")
      .filter((name) => name !== exempt)
      .sort(),
  );
  for (const [name, { order }] of Object.entries(modules))
    if (order) expect(order.split(" ").sort(), name).toEqual(folders(`src/${name}`).sort());
});

test("a module uses only modules before it in the table", () => {
  const names = Object.keys(modules);
  for (const [index, name] of names.entries())
    expect(
      modules[name]?.uses.split(" ").filter((used) => used && !names.slice(0, index).includes(used)),
      name,
    ).toEqual([]);
});
