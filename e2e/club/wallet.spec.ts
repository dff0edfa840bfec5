import { devices } from "@playwright/test";
import { at, expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { grant, joinAs } from "../support/member.ts";
import { scan } from "../support/scanner.ts";

const subscribe = "/account/loyalty/subscribe";
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true };

test.describe("on an Android phone", () => {
  test.use({ ...phone, userAgent: devices["Pixel 7"].userAgent });

  test("the card goes into Google Wallet and follows the points", async ({ page }) => {
    const locale = "de";
    const t = (id: string, values = {}) => text(locale, id, values);
    const { email, number } = await joinAs(page, { firstname: "Camille" });
    await page.goto(at(locale, subscribe));
    await hydrated(page);
    await page.getByRole("link", { name: t("member.walletGoogle") }).tap();
    // The very first pass waits for a key to be made.
    await expect(page.getByRole("heading", { name: t("sandbox.wallet.title") })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText("Camille Laurent")).toBeVisible();
    await expect.poll(async () => scan(await page.screenshot({ fullPage: true }))).toContain(`EAN13:${number}`);
    await expectAccessible(page);

    await grant(email, 1_000);
    await expect(async () => {
      await page.getByRole("link", { name: t("sandbox.wallet.refresh") }).tap();
      await expect(page.getByText(/^1.250$/)).toBeVisible({ timeout: 3_000 });
    }).toPass();
  });

  test("while the wallet is asked, a modal says so and the page behind it does not scroll", async ({ page }) => {
    await joinAs(page, { firstname: "Camille" });
    await page.goto(subscribe);
    await hydrated(page);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/loyalty/wallet/google*", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("link", { name: text("fr", "member.walletGoogle") }).tap();
    const dialog = page.getByRole("dialog", { name: text("fr", "member.walletPreparing") });
    await expect(dialog).toBeVisible();
    const before = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, 800);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await page.evaluate(() => scrollY)).toBe(before);
    answer();
    await expect(page.getByRole("heading", { name: text("fr", "sandbox.wallet.title") })).toBeVisible();
  });

  test.describe("when it is not configured", () => {
    test.use({ tolerated: /status of 503 .*\/api\/loyalty\/wallet\// });

    test("a wallet that cannot be had says so under its button, and may be asked again", async ({ page }) => {
      await joinAs(page, { firstname: "Camille" });
      await page.goto(subscribe);
      await hydrated(page);
      let status = 503;
      await page.route("**/api/loyalty/wallet/google*", (route) =>
        status === 503
          ? route.fulfill({
              status,
              contentType: "application/problem+json",
              body: JSON.stringify({ detail: text("fr", "refusal.not_configured"), status, code: "not_configured" }),
            })
          : route.continue(),
      );
      const button = page.getByRole("link", { name: text("fr", "member.walletGoogle") });
      await button.tap();
      await expect(page.getByRole("alert")).toHaveText(text("fr", "refusal.not_configured"));
      await expect(page.getByRole("dialog")).toBeHidden();
      status = 200;
      await button.tap();
      await expect(page.getByRole("heading", { name: text("fr", "sandbox.wallet.title") })).toBeVisible();
    });
  });
});

test.describe("on an iPhone", () => {
  test.use({ ...phone, userAgent: devices["iPhone 14"].userAgent });

  test("Apple's wallet is offered, and its button brings a pass", async ({ page }) => {
    await joinAs(page, { firstname: "Camille" });
    await page.goto(at("de", subscribe));
    await hydrated(page);
    await expect(page.getByRole("link", { name: text("de", "member.walletGoogle") })).toBeHidden();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: text("de", "member.walletApple") }).tap();
    expect((await download).suggestedFilename()).toBe("cercle.pkpass");
  });
});

test("at a desk a QR code carries one over to the phone", async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await joinAs(page, { firstname: "Camille" });
  await page.goto(at("de", subscribe));
  await hydrated(page);
  for (const wallet of ["member.walletGoogle", "member.walletApple"])
    await expect(page.getByRole("link", { name: text("de", wallet) })).toBeVisible();
  const codes = await scan(await page.getByRole("img", { name: text("de", "member.walletQr") }).screenshot());
  expect(codes).toEqual([`QRCode:${baseURL}/de${subscribe}`]);
  await expectAccessible(page);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the button is a link that leads to the wallet", async ({ page }) => {
    await joinAs(page, { firstname: "Camille" });
    await page.goto(subscribe);
    await page.getByRole("link", { name: text("fr", "member.walletGoogle") }).click();
    await expect(page.getByRole("heading", { name: text("fr", "sandbox.wallet.title") })).toBeVisible();
  });
});
