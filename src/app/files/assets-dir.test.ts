import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestProduct } from "#testing/product.server.ts";

const home = mkdtempSync(join(tmpdir(), "cercle-assets-"));
const [clientDir, shared] = [join(home, "client"), join(home, "shared")];
mkdirSync(join(clientDir, "assets"), { recursive: true });
mkdirSync(shared);
writeFileSync(join(clientDir, "assets", "own-1.js"), "own");
writeFileSync(join(shared, "own-1.js"), "somebody else's");
writeFileSync(join(shared, "other-2.js"), "other");
writeFileSync(join(home, "secret.txt"), "secret");
const { fetch } = await openTestProduct({ ASSETS_DIR: shared }, { clientDir });

test("a page of another release finds its files on this machine, and nothing beside them", async () => {
  expect(await (await fetch("/assets/own-1.js")).text()).toBe("own");
  const other = await fetch("/assets/other-2.js");
  expect(await other.text()).toBe("other");
  expect(other.headers.get("content-type")).toContain("javascript");
  expect(other.headers.get("cache-control")).toContain("immutable");
  for (const path of [
    "/assets/none-3.js",
    "/assets/../secret.txt",
    "/assets/%2e%2e/secret.txt",
    "/assets/..%2fsecret.txt",
  ])
    expect((await fetch(path)).status, path).toBe(404);
});
