import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { build } from "vite";
import { joinAs } from "../../e2e/member.ts";
import { report } from "./report.ts";

/** By route: how many times the floor its script may weigh. */
const limits = {
  "/authenticate/login": 1.2,
  "/authenticate/register": 1.2,
  "/forget": 1.2,
  "/": 1.2,
  "/loyalty": 1.2,
  "/store/qrcode": 1.2,
  "/account": 1.22,
  "/account/informations": 1.22,
  "/account/loyalty/subscribe": 1.25,
};

const weigh = (file: string) => gzipSync(readFileSync(file), { level: 9 }).length;

/** The baseline: an empty app of two pages, built with the product's own configuration: React and the router alone. */
async function weighFloor(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "cercle-floor-"));
  await build({
    logLevel: "error",
    build: {
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: { input: "bench/browser/floor/browser.tsx" },
    },
    environments: {
      client: { build: { outDir: folder, rolldownOptions: { input: "bench/browser/floor/browser.tsx" } } },
    },
  });
  const files = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".js") && !name.startsWith("other"));
  const bytes = files.reduce((sum, name) => sum + weigh(join(folder, "assets", name)), 0);
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}

test("the script that a page names weighs little more than the router's own floor", async ({ page }) => {
  const floor = await weighFloor();
  expect(floor).toBeGreaterThan(80_000);
  const stranger = await page.request.get("/");
  expect(stranger.status()).toBe(200);
  for (const [route, limit] of Object.entries(limits)) {
    if (route === "/account") await joinAs(page, { firstname: "Camille" });
    const html = await (await page.request.get(route)).text();
    const files = new Set(html.match(/\/assets\/[\w.-]+\.js/g));
    const bytes = [...files].reduce((sum, file) => sum + weigh(join("dist/client", file)), 0);
    const ratio = bytes / floor;
    report(`script of ${route}, gzip: to the router's floor`, `${bytes} to ${floor} bytes`, ratio, `at most ${limit}`);
    expect.soft(ratio, route).toBeLessThanOrEqual(limit);
  }
});
