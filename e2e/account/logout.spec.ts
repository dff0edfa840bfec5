import { at, expect, hydrated, test, text } from "../support/browser.ts";
import { joinAs } from "../support/member.ts";
import { signOutOnPhone } from "../support/phone.ts";
import { scan } from "../support/scanner.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

test("the bottom bar shows the code from every page, and its menu signs out", async ({ page }) => {
  const locale = "de";
  const { number } = await joinAs(page, { firstname: "Camille" });
  await page.goto(at(locale, "/account/informations"));
  await hydrated(page);
  const bar = page.locator(".bottom-bar");
  await expect(bar.locator("> ul > li")).toHaveCount(4);
  const code = bar.getByRole("link", { name: text(locale, "menu.shortCode"), exact: true });
  // From a page without the card, and on the page that has it.
  for (const _ of [1, 2]) {
    await code.tap();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect.poll(async () => scan(await page.screenshot())).toEqual([`EAN13:${number}`]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
  await expect(page).toHaveURL(at(locale, "/account/loyalty/subscribe"));
  await signOutOnPhone(page, locale);
  await expect(page).toHaveURL(at(locale, "/"));
  expect((await page.request.get("/api/customer")).status()).toBe(401);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the bottom bar shows the code, and its menu signs out", async ({ page }) => {
    const { number } = await joinAs(page, { firstname: "Camille" });
    await page.goto("/account/informations");
    await page
      .locator(".bottom-bar")
      .getByRole("link", { name: text("fr", "menu.shortCode"), exact: true })
      .tap();
    await expect(page.locator("#till")).toBeVisible();
    await expect.poll(async () => scan(await page.screenshot())).toEqual([`EAN13:${number}`]);
    await page.goto("/account");
    await signOutOnPhone(page);
    await expect(page).toHaveURL("/");
    expect((await page.request.get("/api/customer")).status()).toBe(401);
  });
});
