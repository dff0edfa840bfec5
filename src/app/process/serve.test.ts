import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { heapGrowth } from "./serve.ts";

test("this version of Node knows the option by which the heap grows less: with an unknown one it would start all the same", () => {
  const options = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  expect(options).toContain(`${heapGrowth.split("=")[0]} (`);
});
