import { expect, hydrated, test } from "./browser.ts";

const routes = ["/", "/authenticate/login", "/authenticate/register", "/loyalty", "/store/qrcode"];

for (const route of routes) {
  test(`${route} loads at most 120 kB of script and 75 kB of fonts`, async ({ page }) => {
    const sizes = { script: 0, font: 0, stylesheet: 0 };
    const waiting: Promise<void>[] = [];
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
    expect(sizes.script).toBeLessThanOrEqual(120_000);
    expect(sizes.font).toBeLessThanOrEqual(75_000);
    expect(sizes.stylesheet).toBeGreaterThan(5_000);
    expect(sizes.stylesheet).toBeLessThanOrEqual(12_000);
    test.info().annotations.push({ type: "bytes", description: JSON.stringify(sizes) });
  });
}
