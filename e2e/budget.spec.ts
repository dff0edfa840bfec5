import { expect, hydrated, test } from "./browser.ts";
import { joinAs } from "./member.ts";

/** Bytes of script, gzip. React and the router alone are 98 kB, measured on an empty app of two pages built the same way. */
const budgets = {
  "/authenticate/login": 118_250,
  "/": 118_400,
  "/authenticate/register": 121_600,
  "/loyalty": 117_700,
  "/store/qrcode": 116_300,
  "/forget": 119_200,
  "/account": 125_400,
  "/account/informations": 127_400,
  "/account/loyalty/subscribe": 132_900,
};

// What the service worker has cached would not be downloaded, and so not counted.
test.use({ serviceWorkers: "block" });

test("no page loads more script, style and fonts than its budget", async ({ page }) => {
  let sizes = { script: 0, font: 0, stylesheet: 0 };
  let waiting: Promise<void>[] = [];
  page.on("requestfinished", (request) => {
    const kind = request.resourceType();
    if (kind in sizes)
      waiting.push(
        request.sizes().then(({ responseBodySize }) => {
          sizes[kind as keyof typeof sizes] += responseBodySize;
        }),
      );
  });
  // Data saver keeps the prefetch of other pages away: the budget is what this page itself needs.
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  // gzip is what the budget is written in; browsers get brotli, which is smaller.
  await page.setExtraHTTPHeaders({ "accept-encoding": "gzip" });
  // Interception turns off the HTTP cache, so each page pays for all it loads.
  await page.route("**/*", (route) => route.continue());
  for (const [path, budget] of Object.entries(budgets)) {
    if (path === "/account") await joinAs(page, { firstname: "Camille" });
    sizes = { script: 0, font: 0, stylesheet: 0 };
    waiting = [];
    await page.goto(path, { waitUntil: "networkidle" });
    await hydrated(page);
    await Promise.all(waiting);
    expect.soft(sizes.script, path).toBeGreaterThan(50_000);
    expect.soft(sizes.script, path).toBeLessThanOrEqual(budget);
    expect.soft(sizes.font, path).toBeLessThanOrEqual(75_000);
    expect.soft(sizes.stylesheet, path).toBeGreaterThan(5_000);
    expect.soft(sizes.stylesheet, path).toBeLessThanOrEqual(12_000);
    test.info().annotations.push({ type: "bytes", description: `${path} ${JSON.stringify(sizes)}` });
  }
});
