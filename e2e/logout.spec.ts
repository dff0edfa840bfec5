import { at, expect, expectAccessible, hydrated, test, text } from "./browser.ts";
import { joinAs } from "./member.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

test("the bottom bar asks before it signs out", async ({ page }) => {
  const locale = "de";
  const t = (id: string) => text(locale, id);
  await joinAs(page, { firstname: "Camille" });
  await page.goto(at(locale, "/account"));
  await hydrated(page);
  const bar = page.locator(".bottom-bar");
  await expect(bar.locator("> ul > li")).toHaveCount(4);
  const entry = bar.getByRole("button", { name: t("menu.shortLogout"), exact: true });
  const asked = page.getByRole("dialog", { name: t("menu.logoutAsk") });

  await entry.tap();
  await expect(asked).toBeVisible();
  await expectAccessible(page);
  await asked.getByRole("button", { name: t("shell.cancel") }).tap();
  await expect(asked).toBeHidden();
  await entry.tap();
  await page.keyboard.press("Escape");
  await expect(asked).toBeHidden();
  await expect(entry).toBeFocused();
  // A tap beside it is a slip too.
  await entry.tap();
  await page.touchscreen.tap(195, 40);
  await expect(asked).toBeHidden();
  expect((await page.request.get("/api/customer")).status()).toBe(200);

  await entry.tap();
  await asked.getByRole("button", { name: t("menu.logout"), exact: true }).tap();
  await expect(page).toHaveURL(at(locale, "/"));
  expect((await page.request.get("/api/customer")).status()).toBe(401);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the bottom bar asks too, and signs out", async ({ page }) => {
    await joinAs(page, { firstname: "Camille" });
    await page.goto("/account");
    await page
      .locator(".bottom-bar")
      .getByRole("button", { name: text("fr", "menu.shortLogout"), exact: true })
      .tap();
    const asked = page.getByRole("dialog", { name: text("fr", "menu.logoutAsk") });
    await expect(asked).toBeVisible();
    expect((await page.request.get("/api/customer")).status()).toBe(200);
    await asked.getByRole("button", { name: text("fr", "menu.logout"), exact: true }).tap();
    await expect(page).toHaveURL("/");
    expect((await page.request.get("/api/customer")).status()).toBe(401);
  });
});
