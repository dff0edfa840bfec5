import { at, expect, expectAccessible, hydrated, locales, test, text } from "../support/browser.ts";
import { confirmAddress, joinAs, obtainVoucher } from "../support/member.ts";
import { countPages, scan, scanPrint } from "../support/scanner.ts";

const t = (id: string, values = {}) => text("fr", id, values);
const subscribe = "/account/loyalty/subscribe";
const paper = { preferCSSPageSize: true, printBackground: true };

test.use({ reducedMotion: "no-preference" });

test("the programme prints on one sheet in every language, the member page with its vouchers and an open voucher on one each", async ({
  page,
}) => {
  for (const locale of locales) {
    await page.goto(at(locale, "/loyalty"));
    expect(await countPages(await page.pdf(paper)), locale).toBe(1);
  }
  await joinAs(page, { firstname: "Camille", points: 250 });
  const code = await obtainVoucher(page);
  await page.goto(subscribe);
  await hydrated(page);
  expect(await countPages(await page.pdf(paper)), "the member page").toBe(1);
  await page.goto(`${subscribe}?tab=vouchers`);
  await hydrated(page);
  await page.getByRole("link", { name: t("member.voucherShow") }).click();
  const print = await scanPrint(await page.pdf(paper));
  expect(print.pages).toBe(1);
  expect(print.codes).toMatchObject([{ text: code }]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });

  test("each tab of the member page is three screens at most, with many vouchers and without script too", async ({
    browser,
    page,
    baseURL,
  }) => {
    await joinAs(page, { firstname: "Camille", points: 2_500 });
    for (let n = 0; n < 10; n += 1) await obtainVoucher(page);
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
    await context.addCookies(await page.context().cookies());
    for (const window of [page, await context.newPage()]) {
      await window.setViewportSize({ width: 390, height: 844 });
      await window.goto(subscribe);
      for (const tab of ["vouchers", "benefits", "history", "card"]) {
        await window.getByRole("link", { name: t(`member.tab.${tab}`), exact: true }).click();
        await expect(window.getByRole("link", { name: t(`member.tab.${tab}`), exact: true })).toHaveAttribute(
          "aria-current",
          "true",
        );
        expect((await window.locator("main").boundingBox())?.height, tab).toBeLessThanOrEqual(3 * 844);
      }
    }
    await context.close();
  });

  test("the filters of vouchers stand on one line, with even gaps between their words", async ({ page }) => {
    await joinAs(page, { firstname: "Camille" });
    for (const locale of locales) {
      await page.goto(at(locale, `${subscribe}?tab=vouchers`));
      const words = await page.locator(".list-tabs a").evaluateAll((links) =>
        links.map((link) => {
          const word = document.createRange();
          word.selectNodeContents(link);
          return word.getBoundingClientRect().toJSON();
        }),
      );
      expect(new Set(words.map(({ top }) => top)).size, locale).toBe(1);
      const gaps = words.slice(1).map(({ left }, index) => left - words[index].right);
      expect(Math.max(...gaps) - Math.min(...gaps), locale).toBeLessThan(2);
    }
  });

  test("the switch goes from the card to a voucher; the bars stay in place, and closing leads back", async ({
    page,
  }) => {
    const { number } = await joinAs(page, { firstname: "Camille", points: 250 });
    const code = await obtainVoucher(page);
    await page.goto(subscribe);
    await hydrated(page);
    const opener = page.getByRole("link", { name: t("member.enlarge") });
    await opener.click();
    const dialog = page.getByRole("dialog");
    const top = async () => (await dialog.locator("img").boundingBox())?.y;
    await expect.poll(async () => scan(await page.screenshot())).toEqual([`EAN13:${number}`]);
    const before = await top();
    await dialog.getByRole("link").nth(1).click();
    await expect.poll(async () => scan(await page.screenshot())).toEqual([`Code128:${code}`]);
    expect(await top()).toBe(before);
    await expect(dialog.getByRole("link").nth(1)).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  });
});

test("points that arrive have a moment on the card, without a movement for who asked for none", async ({ page }) => {
  await joinAs(page, { firstname: "Camille" });
  await confirmAddress(page);
  await page.goto(`${subscribe}?tab=benefits`);
  await hydrated(page);
  const names = page.locator("#events h3");
  // Side by side they begin on one line, also where one of them says more.
  expect((await names.nth(1).boundingBox())?.y).toBe((await names.first().boundingBox())?.y);
  await page
    .getByRole("button", { name: t("member.eventObtain", { points: 50 }) })
    .first()
    .click();
  const moment = page.locator("[data-moment=event]");
  await expect(moment).toHaveText(t("member.eventObtained", { points: 50 }));
  const animation = () =>
    page.locator(".card-points").evaluate((points) => {
      const { animationName, animationDuration } = getComputedStyle(points);
      return { name: animationName, seconds: Number.parseFloat(animationDuration) };
    });
  expect((await animation()).name).toBe("arrive");
  expect((await animation()).seconds).toBeLessThanOrEqual(0.9);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect((await animation()).name).toBe("none");
});
