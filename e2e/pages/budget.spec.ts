import { expect, hydrated, test } from "../support/browser.ts";
import { joinAs } from "../support/member.ts";

/**
 * Bytes of script, gzip: what a page names, and so loads before React takes it over, and what follows at the first press or
 * when the browser is idle. React and the router alone are 97 kB, measured on an empty app of two pages built the same way.
 */
const budgets = {
  "/authenticate/login": { script: 120_200, later: 7_850 },
  "/": { script: 121_550, later: 5_600 },
  "/authenticate/register": { script: 124_150, later: 8_400 },
  "/loyalty": { script: 119_150, later: 5_600 },
  "/help": { script: 119_000, later: 5_600 },
  "/store/qrcode": { script: 118_150, later: 5_600 },
  "/forget": { script: 120_000, later: 6_150 },
  "/account": { script: 121_750, later: 15_500 },
  "/account/informations": { script: 121_700, later: 19_750 },
  "/account/loyalty/subscribe": { script: 122_900, later: 22_100 },
};

/** Bytes, gzip, of all that a customer's service worker precaches. */
const precacheBudget = 220_000;

test("no page loads more script, style and fonts than its budget", async ({ page }) => {
  let sizes = { script: 0, later: 0, font: 0, stylesheet: 0 };
  let named = new Set<string>();
  let waiting: Promise<void>[] = [];
  page.on("requestfinished", (request) => {
    const kind = request.resourceType();
    const { pathname } = new URL(request.url());
    if (kind in sizes)
      waiting.push(
        request.sizes().then(({ responseBodySize }) => {
          sizes[kind === "script" && !named.has(pathname) ? "later" : (kind as keyof typeof sizes)] += responseBodySize;
        }),
      );
  });
  // gzip is what the budget is written in; browsers get brotli, which is smaller.
  await page.setExtraHTTPHeaders({ "accept-encoding": "gzip" });
  // Interception turns off the HTTP cache, so each page pays for all it loads.
  await page.route("**/*", (route) => route.continue());
  for (const [path, budget] of Object.entries(budgets)) {
    if (path === "/account") await joinAs(page, { firstname: "Camille" });
    named = new Set((await (await page.request.get(path)).text()).match(/\/assets\/[\w.-]+\.js/g));
    sizes = { script: 0, later: 0, font: 0, stylesheet: 0 };
    waiting = [];
    await page.goto(path, { waitUntil: "networkidle" });
    await hydrated(page);
    await Promise.all(waiting);
    expect.soft(sizes.script, path).toBeGreaterThan(50_000);
    expect.soft(sizes.script, path).toBeLessThanOrEqual(budget.script);
    expect.soft(sizes.later, path).toBeLessThanOrEqual(budget.later);
    expect.soft(sizes.font, path).toBeLessThanOrEqual(75_000);
    expect.soft(sizes.stylesheet, path).toBeGreaterThan(5_000);
    expect.soft(sizes.stylesheet, path).toBeLessThanOrEqual(13_000);
    test.info().annotations.push({ type: "bytes", description: `${path} ${JSON.stringify(sizes)}` });
  }
});

test("a customer's service worker precaches nothing of the till", async ({ request }) => {
  const precached = async (worker: string) => {
    const [list = ""] = (await (await request.get(worker)).text()).split("\n");
    return [...list.matchAll(/"(\/assets\/[\w.-]+)"/g)].map(([, file = ""]) => file);
  };
  const pages = await precached("/service-worker.js");
  const till = await precached("/till-worker.js");
  expect(till.filter((file) => /\/(till|camera)-/.test(file))).not.toEqual([]);
  expect([...pages, ...till].filter((file) => /zxing|\.wasm$/.test(file))).toEqual([]);
  // Texts and fonts that are the same in both builds are the same files.
  expect(pages.filter((file) => till.includes(file) && !/\/[a-z]{2}-[\w-]+\.js$|\.woff2$/.test(file))).toEqual([]);
  let bytes = 0;
  for (const file of pages)
    bytes += Number((await request.get(file, { headers: { "accept-encoding": "gzip" } })).headers()["content-length"]);
  test.info().annotations.push({ type: "bytes", description: String(bytes) });
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(precacheBudget);
});
