import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cookie, chromium, expect, test } from "@playwright/test";
import { joinAs } from "../../e2e/member.ts";
import { createProcesses } from "../../e2e/processes.ts";
import { median, report } from "./report.ts";

const runs = 5;
const floors = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
type Category = keyof typeof floors;

/** Without the sandbox, which keeps crawlers out and so lowers the SEO score. */
const port = 3211;
const site = `http://localhost:${port}`;
const processes = createProcesses();
test.beforeAll(async () => {
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
test.afterAll(() => processes.clear());

/** Lighthouse in its mobile profile, in a fresh browser profile with French as its language and the given cookies. */
async function audit(path: string, cookies: Cookie[], executablePath: string): Promise<Record<Category, number>> {
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
  execFileSync(process.execPath, [command, site + path, ...flags, french, chrome], {
    env: { ...process.env, CHROME_PATH: executablePath },
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 120_000,
  });
  const { categories } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true, force: true });
  const scores = Object.keys(floors).map((name) => [name, Math.round((categories[name].score ?? 0) * 100)]);
  return Object.fromEntries(scores);
}

for (const path of ["/", "/authenticate/login", "/account", "/account/loyalty/subscribe"]) {
  test(`Lighthouse on ${path}`, async ({ page, launchOptions }) => {
    const personal = path.startsWith("/account");
    if (personal) await joinAs(page, { firstname: "Camille" }, site);
    const cookies = await page.context().cookies();
    const scores: Record<Category, number>[] = [];
    await expect(async () => {
      // A run whose trace the browser failed to record ends with an error: it is retried.
      while (scores.length < runs) scores.push(await audit(path, cookies, launchOptions.executablePath ?? ""));
    }).toPass();
    for (const [category, floor] of Object.entries(floors) as [Category, number][]) {
      const score = median(scores.map((all) => all[category]));
      const metrics = scores.map((all) => all[category]).join(" ");
      // A personal page has noindex, so it cannot have the full SEO score.
      const least = personal && category === "seo" ? 0 : floor;
      report(`Lighthouse, ${category}, ${path}`, metrics, score, `at least ${least}`);
      expect.soft(score, category).toBeGreaterThanOrEqual(least);
    }
  });
}
