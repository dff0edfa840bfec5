import { expect, hydrated, test } from "./browser.ts";
import { joinAs } from "./member.ts";

/** Bytes of script, gzip. React and the router alone are 98 kB, measured on an empty app of two pages built the same way. */
const budgets = {
  "/authenticate/login": 119_000,
  "/": 118_900,
  "/authenticate/register": 122_400,
  "/loyalty": 118_200,
  "/store/qrcode": 116_800,
  "/forget": 119_700,
  "/account": 125_900,
  "/account/informations": 127_900,
  "/account/loyalty/subscribe": 133_400,
};

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
