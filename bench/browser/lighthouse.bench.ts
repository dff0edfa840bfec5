import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { joinAs } from "../../e2e/member.ts";
import { median, report } from "./report.ts";

const runs = 5;
const floors = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
type Category = keyof typeof floors;

/** Lighthouse as anyone would run it: its mobile profile, slow network and slow processor included. */
function audit(url: string, cookie: string, chromium: string): Record<Category, number> {
  const folder = mkdtempSync(join(tmpdir(), "cercle-lighthouse-"));
  const file = join(folder, "report.json");
  const command = "bench/browser/lighthouse/node_modules/lighthouse/cli/index.js";
  const flags = ["--quiet", "--output=json", `--output-path=${file}`, "--chrome-flags=--headless=new --no-sandbox"];
  const headers = cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : [];
  execFileSync(process.execPath, [command, url, ...flags, ...headers], {
    env: { ...process.env, CHROME_PATH: chromium },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { categories } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true, force: true });
  const scores = Object.keys(floors).map((name) => [name, Math.round((categories[name].score ?? 0) * 100)]);
  return Object.fromEntries(scores);
}

for (const route of ["/", "/authenticate/login", "/account", "/account/loyalty/subscribe"]) {
  test(`Lighthouse on ${route}`, async ({ page, baseURL, launchOptions }) => {
    const personal = route.startsWith("/account");
    if (personal) await joinAs(page, { firstname: "Camille", points: 1_240 });
    const [token] = (await page.context().cookies()).filter(({ name }) => name === "auth.token");
    const cookie = token ? `auth.token=${token.value}` : "";
    const chromium = launchOptions.executablePath ?? "";
    const scores = Array.from({ length: runs }, () => audit(`${baseURL}${route}`, cookie, chromium));
    for (const [category, floor] of Object.entries(floors) as [Category, number][]) {
      const score = median(scores.map((all) => all[category]));
      const figures = scores.map((all) => all[category]).join(" ");
      // A page that asks search engines to stay away, as a personal page must, can have no full mark there.
      const least = personal && category === "seo" ? 0 : floor;
      report(`Lighthouse, ${category}, ${route}`, figures, score, `at least ${least}`);
      expect.soft(score, category).toBeGreaterThanOrEqual(least);
    }
  });
}
