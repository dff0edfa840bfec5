import { expect, hydrated, test } from "./browser.ts";
import { joinAs } from "./member.ts";

/** Bytes of script, gzip. React and the router alone are 98 kB: an empty app of two pages, built the same way. */
const budgets = {
  "/authenticate/login": 118_000,
  "/": 119_500,
  "/authenticate/register": 121_500,
  "/loyalty": 119_500,
  "/store/qrcode": 118_000,
  "/forget": 119_000,
  "/account": 125_500,
  "/account/informations": 126_000,
  "/account/loyalty/subscribe": 131_500,
};

for (const [route, budget] of Object.entries(budgets)) {
  test(`${route} loads at most ${budget / 1_000} kB of script and 75 kB of fonts`, async ({ page }) => {
    const sizes = { script: 0, font: 0, stylesheet: 0 };
    const waiting: Promise<void>[] = [];
    if (route.startsWith("/account")) await joinAs(page, { firstname: "Camille" });
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
    await page.goto(route, { waitUntil: "networkidle" });
    await hydrated(page);
    await Promise.all(waiting);
    expect(sizes.script).toBeGreaterThan(50_000);
    expect(sizes.script).toBeLessThanOrEqual(budget);
    expect(sizes.font).toBeLessThanOrEqual(75_000);
    expect(sizes.stylesheet).toBeGreaterThan(5_000);
    expect(sizes.stylesheet).toBeLessThanOrEqual(12_000);
    test.info().annotations.push({ type: "bytes", description: JSON.stringify(sizes) });
  });
}
