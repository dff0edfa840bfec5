import type { Page } from "@playwright/test";
import { at, expect, expectAccessible, expectWords, hydrated, test, text } from "../support/browser.ts";

const open = [
  "/",
  "/loyalty",
  "/help",
  "/help?q=bon",
  "/store/qrcode",
  "/authenticate/login",
  "/authenticate/register",
  "/authenticate/register#details",
  "/forget",
  "/password/validate",
  "/password/new?token=old",
  "/account/email?token=old",
  "/account/autologin",
  "/error",
  "/nowhere",
];

async function expectToFit(page: Page, path: string) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow, path).toBeLessThanOrEqual(0);
}

test("what was typed into the help's search before its script was there filters as soon as it is", async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/de/help", { waitUntil: "commit" });
  await page.getByRole("searchbox").pressSequentially("fehlen");
  release();
  await expect(page.getByText("1 Antwort", { exact: true })).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveValue("fehlen");
  await expect(page.getByRole("heading", { name: text("de", "help.earnQuestion") })).toBeHidden();
});

// What fits in German fits in English too, and the words themselves are checked in the catalogues.
for (const locale of ["fr", "de"] as const) {
  test(`every open page is accessible, and fits a phone and a desk, in ${locale}`, async ({ page }) => {
    for (const path of open) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(at(locale, path));
      await hydrated(page);
      await expect(page.locator("html"), path).toHaveAttribute("lang", locale);
      await expectToFit(page, path);
      if (locale === "de") {
        // The longest words on the smallest phone.
        await page.setViewportSize({ width: 320, height: 640 });
        await expectToFit(page, `${path} at 320 px`);
      }
      await page.setViewportSize({ width: 1440, height: 844 });
      await expectToFit(page, `${path} at 1440 px`);
      // On a phone, in German, `access.spec.ts` judges every state of them.
      if (locale === "fr") await expectAccessible(page, `${path} at 1440 px`);
      else await expectWords(page);
    }
  });
}

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("pages are readable and their links work", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page
      .getByRole("link", { name: text("fr", "loyalty.join") })
      .first()
      .click();
    await expect(page.getByRole("heading", { name: text("fr", "register.cardTitle") })).toBeVisible();
    await page.getByRole("link", { name: text("fr", "register.next") }).click();
    await expect(page.getByLabel(text("fr", "identity.firstname"))).toBeVisible();
    await page.getByRole("link", { name: "Deutsch" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
  });

  test("the help page is searched by a form", async ({ page }) => {
    await page.goto("/de/help");
    await page.getByRole("searchbox").fill("fehlen");
    await page.getByRole("button", { name: text("de", "help.submit") }).click();
    await expect(page.getByText("1 Antwort", { exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { name: text("de", "help.missingQuestion") })).toBeVisible();
    await expect(page.getByRole("heading", { name: text("de", "help.earnQuestion") })).toBeHidden();
  });
});
