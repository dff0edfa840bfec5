import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Cookie, chromium, expect, type Page, test } from "@playwright/test";
import { joinAs } from "../../e2e/support/member.ts";
import { createProcesses, portOf } from "../../e2e/support/processes.ts";
import { serveFloor } from "./floor.ts";
import { median, report } from "./report.ts";

/** `LIGHTHOUSE_RUNS=1` for a look at what does not depend on the machine. */
const runs = Number(process.env["LIGHTHOUSE_RUNS"] ?? 5);
/** The performance score depends on the machine, and on what else it does: the empty app's own is printed beside it. */
const floors = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 };
type Category = keyof typeof floors;

/** Without the sandbox, which keeps crawlers out and so lowers the SEO score. */
const port = portOf(61);
const site = `http://localhost:${port}`;
const floorPort = portOf(62);
const processes = createProcesses();
let dataDir = "";
let closeFloor = () => {};
test.beforeAll(async () => {
  closeFloor = await serveFloor(floorPort);
  dataDir = processes.folder();
  const { words } = await processes.start({
    PORT: String(port),
    PUBLIC_URL: site,
    DATA_DIR: dataDir,
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

interface Audit {
  scores: Record<Category, number>;
  /** What does not depend on the machine. */
  weight: string;
  /** What cost points, where the machine is not the reason. */
  faults: string[];
}

/** Audits whose result depends on how fast the machine is, or on what else it does. */
const timed =
  /paint|interactive|speed-index|blocking-time|input-delay|bootup|mainthread|server-response|diagnostics|metrics/;

/** Lighthouse in its mobile profile, in a fresh browser profile with French as its language and the given cookies. */
async function audit(address: string, cookies: Cookie[], executablePath: string): Promise<Audit> {
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
  const { categories, audits } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true, force: true });
  const scores = Object.keys(floors).map((name) => [name, Math.round((categories[name].score ?? 0) * 100)]);
  const unused = (id: string) => audits[id]?.details?.overallSavingsBytes ?? 0;
  const failed = Object.entries<{ score: number | null; displayValue?: string }>(audits).filter(
    ([id, { score }]) => score !== null && score < 0.9 && !timed.test(id),
  );
  return {
    scores: Object.fromEntries(scores),
    weight: [
      `${audits["total-byte-weight"].numericValue} bytes in all`,
      `unused script ${unused("unused-javascript")}, style ${unused("unused-css-rules")}`,
      `layout shift ${audits["cumulative-layout-shift"].numericValue.toFixed(3)}`,
      `${audits["dom-size"]?.numericValue ?? "?"} elements`,
    ].join("; "),
    faults: failed.map(([id, { displayValue }]) => `${id} ${displayValue ?? ""}`),
  };
}

/** The commands of an operator, against the measured product; the last line is what they made. */
function operator(command: string, ...words: string[]): string {
  const env = { ...process.env, DATA_DIR: dataDir };
  const printed = execFileSync(process.execPath, [`dist/server/${command}.js`, ...words], { env, encoding: "utf8" });
  return printed.trim().split("\n").at(-1) ?? "";
}

/** Makes this browser a till, with a person signed in. */
async function openTill({ request }: Page) {
  const shop = operator("shop", "add", "Cercle Lyon", "Lyon");
  const IdStaff = operator("staff", "add", "ines@cercle.example", "Inès", "Roux", "shop", shop);
  const Pin = operator("staff", "pin", "ines@cercle.example");
  const headers = { "sec-fetch-site": "same-origin" };
  const Code = operator("till", "pair", shop);
  const paired = await request.post(`${site}/api/till/pair`, { form: { Code, TillName: "Caisse 1" }, headers });
  expect(paired.status()).toBe(200);
  const signedIn = await request.post(`${site}/api/till/sign-in`, { form: { IdStaff, Pin }, headers });
  expect(signedIn.status()).toBe(200);
}

const member = (page: Page) => joinAs(page, { firstname: "Camille" }, site);

/** Pages, who opens them, and whether crawlers may read them: the others have noindex, which alone lowers the SEO score. */
const pages: { path: string; open?: (page: Page) => Promise<unknown>; found?: true }[] = [
  { path: "/", found: true },
  { path: "/authenticate/login", found: true },
  { path: "/account", open: member },
  { path: "/account/loyalty/subscribe", open: member },
  { path: "/till", open: openTill },
  { path: "/office" },
];
for (const { path, open, found } of pages) {
  test(`Lighthouse on ${path}`, async ({ page, launchOptions }) => {
    await open?.(page);
    const cookies = await page.context().cookies();
    const browser = launchOptions.executablePath ?? "";
    const measured: Audit[] = [];
    const empty: number[] = [];
    await expect(async () => {
      // A run whose trace the browser failed to record ends with an error: it is retried. The two take turns.
      while (measured.length < runs) {
        if (empty.length <= measured.length)
          empty.push((await audit(`http://localhost:${floorPort}/`, [], browser)).scores.performance);
        measured.push(await audit(site + path, cookies, browser));
      }
    }).toPass();
    for (const [category, floor] of Object.entries(floors) as [Category, number][]) {
      const all = measured.map(({ scores }) => scores[category]);
      const beside = category === "performance" ? ` (empty app ${empty.join(" ")})` : "";
      const least = category === "seo" && !found ? 0 : floor;
      report(`Lighthouse, ${category}, ${path}`, all.join(" ") + beside, median(all), `at least ${least}`);
      expect.soft(median(all), category).toBeGreaterThanOrEqual(least);
    }
    const [first] = measured;
    report(`Lighthouse, weight, ${path}`, first?.weight ?? "", first?.faults.join("; ") || "nothing", "for comparison");
  });
}
