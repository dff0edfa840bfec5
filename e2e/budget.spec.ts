import { expect, hydrated, test } from "./browser.ts";
import { joinAs } from "./member.ts";

/** Bytes of script, gzip. React and the router alone are 98 kB: an empty app of two pages, built the same way. */
const budgets = {
  "/authenticate/login": 118_000,
  "/": 118_200,
  "/authenticate/register": 121_400,
  "/loyalty": 117_500,
  "/store/qrcode": 116_000,
  "/forget": 119_000,
  "/account": 125_000,
  "/account/informations": 127_100,
  "/account/loyalty/subscribe": 132_600,
};

// What the worker keeps would cost nothing, and count as nothing.
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
  // A routed page keeps nothing from the one before.
  await page.route("**/*", (route) => route.continue());
  for (const [path, budget] of Object.entries(budgets)) {
    if (path === "/account") await joinAs(page, { firstname: "Camille" });
    sizes = { script: 0, font: 0, stylesheet: 0 };
    waiting = [];
    await page.goto(path, { waitUntil: "networkidle" });
    await hydrated(page);
    await Promise.all(waiting);
    expect(sizes.script, path).toBeGreaterThan(50_000);
    expect(sizes.script, path).toBeLessThanOrEqual(budget);
    expect(sizes.font, path).toBeLessThanOrEqual(75_000);
    expect(sizes.stylesheet, path).toBeGreaterThan(5_000);
    expect(sizes.stylesheet, path).toBeLessThanOrEqual(12_000);
    test.info().annotations.push({ type: "bytes", description: `${path} ${JSON.stringify(sizes)}` });
  }
});
