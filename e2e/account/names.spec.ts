import type { Locator, Page } from "@playwright/test";
import fc from "fast-check";
import { expect, hydrated, test, text } from "../support/browser.ts";
import { withoutNetwork } from "../support/console-faults.ts";
import { joinAs, obtainVoucher } from "../support/member.ts";
import { settle } from "../support/phone.ts";
import { scan } from "../support/scanner.ts";

const subscribe = "/account/loyalty/subscribe";

test.use({
  serviceWorkers: "allow",
  ...{ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  tolerated: withoutNetwork,
});

const scripts = {
  latin: [..."Anne-Sophie d’Ailly-Lévêque "],
  oneWord: [..."Wolfeschlegelsteinhausenbergerdorff"],
  wide: [..."WM"],
  chinese: [..."欧阳修司马光诸葛亮"],
  arabic: [..."عبد الرحمن بن محمد"],
  emoji: ["👩‍👩‍👧‍👦", "🇫🇷", "🧵", "❤️"],
  // One letter under a pile of accents each.
  stacked: ["Z\u0351\u036b\u0343\u036a\u0302", "a\u0334\u0322\u0349\u034e\u0325", "l\u0300\u0301\u0302\u0303\u0304"],
};

/** Names of 1 to 100 letters in one script. */
const names = fc
  .record({ letters: fc.constantFrom(...Object.values(scripts)), length: fc.integer({ min: 1, max: 100 }) })
  .map(({ letters, length }) => Array.from({ length }, (_, place) => letters[place % letters.length]).join(""));

/** Phones from the narrowest to the widest, held upright and on their side. */
const screens = fc
  .record({
    width: fc.integer({ min: 320, max: 430 }),
    height: fc.integer({ min: 568, max: 932 }),
    upright: fc.boolean(),
  })
  .map(({ width, height, upright }) => (upright ? { width, height } : { width: height, height: width }));

/** Lets `seen` judge many names on many screens. */
function forAnyName(page: Page, title: Locator, seen: (screen: { width: number; height: number }) => Promise<void>) {
  const property = fc.asyncProperty(names, screens, async (name, screen) => {
    await page.setViewportSize(screen);
    await title.evaluate((element, written) => {
      element.textContent = written;
    }, name);
    await seen(screen);
  });
  // The widest letters on the smallest phone are always among them.
  const examples: [string, { width: number; height: number }][] = [["W".repeat(100), { width: 320, height: 568 }]];
  return fc.assert(property, { numRuns: 4, endOnFailure: true, examples });
}

async function expectTillReads(page: Page, opener: Locator, code: string): Promise<void> {
  await opener.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  const bars = dialog.locator("img");
  await forAnyName(page, dialog.getByRole("heading"), async ({ width }) => {
    await expect.poll(async () => scan(await page.screenshot())).toEqual([code]);
    await expect.poll(async () => (await bars.boundingBox())?.x).toBe(0);
    await expect.poll(async () => (await bars.boundingBox())?.width).toBe(width);
    await expect(dialog.locator("p").last()).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole("button")).toBeInViewport({ ratio: 1 });
  });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
}

async function expectCardReads(page: Page, code: string): Promise<void> {
  const card = page.locator(".loyalty-card");
  const number = card.locator("p").last();
  await forAnyName(page, card.locator("p").first(), async () => {
    await expect.poll(async () => scan(await card.screenshot())).toEqual([code]);
    // Bars cut in half can still be read: what stands under them must be whole too.
    const [outer, inner] = [await card.boundingBox(), await number.boundingBox()];
    const space = (outer?.y ?? 0) + (outer?.height ?? 0) - (inner?.y ?? 0) - (inner?.height ?? 0);
    expect(space / (outer?.height ?? 1)).toBeGreaterThan(0.03);
  });
}

async function expectCodesRead(page: Page, card: string, voucher: string, vouchers?: string): Promise<void> {
  await expectTillReads(page, page.getByRole("link", { name: text("fr", "member.enlarge") }), `EAN13:${card}`);
  await expectCardReads(page, `EAN13:${card}`);
  if (vouchers) await page.goto(vouchers);
  await expectTillReads(page, page.getByRole("link", { name: text("fr", "member.voucherShow") }), `Code128:${voucher}`);
}

test("whatever the name, a scanner reads the card and a voucher", async ({ page }) => {
  const { number } = await joinAs(page, { firstname: "Camille" });
  const code = await obtainVoucher(page);
  await page.goto(subscribe);
  await hydrated(page);
  await expectCodesRead(page, number, code, `${subscribe}?tab=vouchers`);
});

test("whatever the name, a scanner reads the card and a voucher without a network", async ({ page, context }) => {
  const { number } = await joinAs(page, { firstname: "Camille" });
  const code = await obtainVoucher(page);
  await settle(page, subscribe);
  await context.setOffline(true);
  await page.goto(subscribe);
  await expect(page.getByRole("heading", { level: 1, name: text("fr", "offline.card") })).toBeVisible();
  await expectCodesRead(page, number, code);
});
