import { devices } from "@playwright/test";
import { at, expect, hydrated, test, text } from "../support/browser.ts";
import { withoutNetwork } from "../support/console-faults.ts";
import { cloths, joinAs, obtainVoucher } from "../support/member.ts";
import { scan } from "../support/scanner.ts";

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true };
const subscribe = "/account/loyalty/subscribe";

test.describe("on a phone", () => {
  test.use({ ...phone, userAgent: devices["Pixel 7"].userAgent });

  test("a scanner reads the card from the screen, on every cloth", async ({ page }) => {
    for (const points of Object.values(cloths)) {
      const { number } = await joinAs(page, { firstname: "Camille", points });
      await page.goto(subscribe);
      await hydrated(page);
      await expect.poll(async () => scan(await page.screenshot())).toContain(`EAN13:${number}`);
    }
  });

  test("a scanner reads the card over the whole screen, both ways up", async ({ page }) => {
    const { number } = await joinAs(page, { firstname: "Camille" });
    await page.goto(subscribe);
    await hydrated(page);
    const dialog = page.getByRole("dialog", { name: "Camille Laurent" });
    await page.locator("section").filter({ hasText: "CERCLE" }).first().tap({ force: true });
    await expect(dialog).toBeVisible();
    await expect.poll(async () => scan(await page.screenshot())).toEqual([`EAN13:${number}`]);
    // As wide as the phone: the quiet zones are part of the drawing.
    expect((await dialog.locator("img").boundingBox())?.width).toBe(390);
    await expect(dialog.locator("p").last()).toHaveText(number);
    await expect(dialog.locator("p").last()).toBeInViewport({ ratio: 1 });

    await page.setViewportSize({ width: 844, height: 390 });
    expect((await dialog.locator("img").boundingBox())?.width).toBe(844);
    await expect.poll(async () => scan(await page.screenshot())).toEqual([`EAN13:${number}`]);
    await expect(dialog.locator("p").last()).toBeInViewport({ ratio: 1 });
    const close = dialog.getByRole("button", { name: text("fr", "shell.close") });
    const box = await close.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await close.tap();
    await expect(dialog).toBeHidden();
  });

  test("each voucher that is still good is shown at the till the same way", async ({ page }) => {
    await joinAs(page, { firstname: "Camille", points: 250 });
    const codes = [await obtainVoucher(page), await obtainVoucher(page)];
    await page.goto(`${subscribe}?tab=vouchers`);
    await hydrated(page);
    // Both end on the same day: the first obtained comes first, and is open.
    for (const [place, code] of codes.entries()) {
      if (place > 0) await page.locator("#vouchers summary").nth(place).tap();
      await page
        .locator("#vouchers details[open]")
        .getByRole("link", { name: text("fr", "member.voucherShow") })
        .tap();
      await expect(page.getByRole("dialog").locator("p").last()).toHaveText(code);
      await expect.poll(async () => scan(await page.screenshot())).toEqual([`Code128:${code}`]);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    }
  });

  test("the screen is kept awake while the code is shown, also after looking elsewhere, and not a moment longer", async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const held: string[] = [];
      Object.assign(window, { held });
      Object.defineProperty(navigator, "wakeLock", {
        value: {
          request: async (kind: string) => {
            held.push(`${kind} on`);
            return { release: async () => held.push(`${kind} off`) };
          },
        },
      });
    });
    const held = () => page.evaluate(() => (window as unknown as { held: string[] }).held);
    await joinAs(page, { firstname: "Camille" });
    await page.goto("/account");
    await hydrated(page);
    expect(await held()).toEqual([]);
    await page.getByRole("link", { name: text("fr", "member.enlarge") }).tap();
    await expect.poll(held).toEqual(["screen on"]);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect.poll(held).toEqual(["screen on", "screen on"]);
    await page.keyboard.press("Escape");
    await expect.poll(held).toEqual(["screen on", "screen on", "screen off"]);
  });

  test("an address that ends in #till opens on the code", async ({ page }) => {
    await joinAs(page, { firstname: "Camille" });
    await page.goto(`${subscribe}#till`);
    const dialog = page.getByRole("dialog", { name: "Camille Laurent" });
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(subscribe);
    // Typed behind the address of a page that is open already, too.
    await page.evaluate(() => location.assign("#till"));
    await expect(dialog).toBeVisible();
  });
});

test.describe("when the dialog's own code cannot be loaded", () => {
  test.use({ tolerated: withoutNetwork });

  test("a press shows the code all the same, and the button closes it", async ({ page }) => {
    await page.route("**/full-screen-code-*.js", (route) => route.abort());
    await joinAs(page, { firstname: "Camille" });
    await page.goto("/account");
    await hydrated(page, "body");
    await page.getByRole("link", { name: text("fr", "member.enlarge") }).click();
    const dialog = page.getByRole("dialog", { name: "Camille Laurent" });
    await expect(dialog).toBeVisible();
    await dialog.getByRole("button", { name: text("fr", "shell.close") }).click();
    await expect(dialog).toBeHidden();
  });
});

test("by keyboard on a desktop: opened, closed, and the focus is back where it was", async ({ page }) => {
  const locale = "de";
  await page.setViewportSize({ width: 1440, height: 900 });
  const { number } = await joinAs(page, { firstname: "Camille" });
  await page.goto(at(locale, "/account"));
  await hydrated(page);
  const opener = page.getByRole("link", { name: text(locale, "member.enlarge") });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Camille Laurent" })).toBeVisible();
  await expect.poll(async () => scan(await page.screenshot())).toEqual([`EAN13:${number}`]);
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();
});

test.describe("without script", () => {
  test.use({ ...phone, javaScriptEnabled: false });

  test("the link shows the code over the whole screen, and another leads back", async ({ page }) => {
    const { number } = await joinAs(page, { firstname: "Camille" });
    await page.goto(subscribe);
    await page.getByRole("link", { name: text("fr", "member.enlarge") }).click();
    await expect.poll(async () => scan(await page.screenshot())).toEqual([`EAN13:${number}`]);
    await page.getByRole("link", { name: text("fr", "shell.close") }).click();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("dialog.till").first()).toBeHidden();
  });
});
