import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { joinAs } from "../../e2e/support/member.ts";
import { buildFloor, compress } from "./floor.ts";
import { report } from "./report.ts";

/** By route: how many times the floor its script may weigh. */
const limits = {
  "/authenticate/login": 1.21,
  // Two forms in one, with its draft: what a customer types first must not wait for a second file.
  "/authenticate/register": 1.25,
  "/forget": 1.21,
  "/": 1.22,
  "/loyalty": 1.21,
  "/store/qrcode": 1.2,
  "/account": 1.225,
  "/account/informations": 1.22,
  "/account/loyalty/subscribe": 1.25,
};

const weigh = (file: string) => compress(file).length;

async function weighFloor(): Promise<number> {
  const { assets, first, remove } = await buildFloor();
  const bytes = first.reduce((sum, name) => sum + weigh(join(assets, name)), 0);
  remove();
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
