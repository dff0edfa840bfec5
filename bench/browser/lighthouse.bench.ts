import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Cookie, chromium, expect, test } from "@playwright/test";
import { joinAs } from "../../e2e/support/member.ts";
import { createProcesses } from "../../e2e/support/processes.ts";
import { serveFloor } from "./floor.ts";
import { median, report } from "./report.ts";

const runs = 5;
/** Of the performance score, the empty app's own in the same run: the score depends on the machine, and on what else it does. */
const share = 0.97;
const floors = { accessibility: 100, "best-practices": 100, seo: 100 };
type Category = "performance" | keyof typeof floors;

/** Without the sandbox, which keeps crawlers out and so lowers the SEO score. */
const port = 3211;
const site = `http://localhost:${port}`;
const floorPort = 3212;
const processes = createProcesses();
let closeFloor = () => {};
test.beforeAll(async () => {
  closeFloor = await serveFloor(floorPort);
  const { words } = await processes.start({
    PORT: String(port),
    PUBLIC_URL: site,
    DATA_DIR: processes.folder(),
    SANDBOX: "off",
    SHOP_URL: site,
    SMTP_URL: "smtp://localhost:1",
    MAIL_FROM: "cercle@exemple.fr",
  });
  expect(words()).toContain("Cercle is open");
});
test.afterAll(() => {
  closeFloor();
  return processes.clear();
});

/** Lighthouse in its mobile profile, in a fresh browser profile with French as its language and the given cookies. */
async function audit(address: string, cookies: Cookie[], executablePath: string): Promise<Record<Category, number>> {
  const folder = mkdtempSync(join(tmpdir(), "cercle-lighthouse-"));
  const file = join(folder, "report.json");
  const profile = join(folder, "profile");
  const browser = await chromium.launchPersistentContext(profile, { executablePath, args: ["--no-sandbox"] });
  await browser.addCookies(cookies);
  await browser.close();
  const command = "bench/browser/lighthouse/node_modules/lighthouse/cli/index.js";
  const flags = ["--quiet", "--disable-storage-reset", "--output=json", `--output-path=${file}`];
  const french = `--extra-headers=${JSON.stringify({ "Accept-Language": "fr-FR" })}`;
  const chrome = `--chrome-flags=--headless=new --no-sandbox --disable-gpu --user-data-dir=${profile}`;
  // Not synchronously: the empty app is served by this process.
  await promisify(execFile)(process.execPath, [command, address, ...flags, french, chrome], {
    env: { ...process.env, CHROME_PATH: executablePath },
    timeout: 120_000,
  });
  const { categories } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true, force: true });
  const scores = ["performance", ...Object.keys(floors)].map((name) => [
    name,
    Math.round((categories[name].score ?? 0) * 100),
  ]);
  return Object.fromEntries(scores);
}

for (const path of ["/", "/authenticate/login", "/account", "/account/loyalty/subscribe"]) {
  test(`Lighthouse on ${path}`, async ({ page, launchOptions }) => {
    const personal = path.startsWith("/account");
    if (personal) await joinAs(page, { firstname: "Camille" }, site);
    const cookies = await page.context().cookies();
    const browser = launchOptions.executablePath ?? "";
    const scores: Record<Category, number>[] = [];
    const empty: number[] = [];
    await expect(async () => {
      // A run whose trace the browser failed to record ends with an error: it is retried. The two take turns.
      while (scores.length < runs) {
        if (empty.length <= scores.length)
          empty.push((await audit(`http://localhost:${floorPort}/`, [], browser)).performance);
        scores.push(await audit(site + path, cookies, browser));
      }
    }).toPass();
    const performance = scores.map((all) => all.performance);
    const ratio = median(performance) / median(empty);
    const metrics = `${performance.join(" ")} to ${empty.join(" ")}`;
    report(`Lighthouse, performance, ${path}: to the empty app's`, metrics, ratio, `at least ${share}`);
    expect.soft(ratio, "performance").toBeGreaterThanOrEqual(share);
    for (const [category, floor] of Object.entries(floors) as [keyof typeof floors, number][]) {
      const score = median(scores.map((all) => all[category]));
      const metrics = scores.map((all) => all[category]).join(" ");
      // A personal page has noindex, so it cannot have the full SEO score.
      const least = personal && category === "seo" ? 0 : floor;
      report(`Lighthouse, ${category}, ${path}`, metrics, score, `at least ${least}`);
      expect.soft(score, category).toBeGreaterThanOrEqual(least);
    }
  });
}
