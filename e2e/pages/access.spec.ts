import type { Page } from "@playwright/test";
import { at, expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { expectReflow, expectTargets, expectZoom } from "../support/measure.ts";
import { cloths, joinAs, obtainVoucher, password } from "../support/member.ts";
import { scan } from "../support/scanner.ts";
import { memberStates, openStates, type State, unconfirmedStates } from "../support/states.ts";

const subscribe = "/account/loyalty/subscribe";

// One state shows a call answered with 503.
test.use({ viewport: { width: 390, height: 844 }, tolerated: /status of 503 .*\/api\/loyalty\// });

/** In German: the longest words make the widest lines. `pages.spec.ts` judges every open page in French too. */
const locale = "de";

async function walk(page: Page, states: State[]) {
  for (const { name, path, reach } of states) {
    const sandbox = path.startsWith("/sandbox");
    await page.goto(sandbox ? path : at(locale, path));
    // A request that one state holds back must not be answered in the next.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    if (!sandbox) await hydrated(page);
    await test.step(name, () => reach(page, (id, values) => text(locale, id, values)));
    await expectAccessible(page, name, { everyRule: true });
    await expectTargets(page, name);
    await expectReflow(page, name);
    await expectZoom(page, name);
  }
}

test("every state of every open page is accessible, pressable and fits", async ({ page }) => {
  await walk(page, openStates);
});

const member = { firstname: "Camille", lastname: "Laurent-Beaumarchais", points: 500 };

test("every state before the address is confirmed is accessible, pressable and fits", async ({ page }) => {
  await joinAs(page, member);
  await walk(page, unconfirmedStates);
});

// In parts, so that no other test waits for them at the end of a run.
const length = 5;
for (let first = 0; first < memberStates.length; first += length)
  test(`states ${first + 1} to ${first + length} of a member's pages are accessible, pressable and fit`, async ({
    page,
    request,
  }) => {
    const { email } = await joinAs(page, member);
    await obtainVoucher(page);
    // A second device, to have a list of them.
    await request.post("/api/authentification/email", { form: { Email: email, Password: password } });
    await walk(page, memberStates.slice(first, first + length));
  });

test("with forced colours, light and dark, barcodes stay black on white, and buttons and fields keep their border", async ({
  page,
}) => {
  const { number } = await joinAs(page, { firstname: "Camille", points: cloths.cashmere });
  const code = await obtainVoucher(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ forcedColors: "active", colorScheme });
    await page.goto(subscribe);
    await hydrated(page);
    await expect
      .poll(async () => scan(await page.screenshot({ fullPage: true })), colorScheme)
      .toContain(`EAN13:${number}`);
    for (const [link, read] of [
      ["member.enlarge", `EAN13:${number}`],
      ["member.voucherShow", `Code128:${code}`],
    ] as const) {
      if (link === "member.voucherShow") await page.goto(`${subscribe}?tab=vouchers`);
      await page.getByRole("link", { name: text("fr", link) }).click();
      await expect.poll(async () => scan(await page.screenshot()), `${colorScheme} ${link}`).toEqual([read]);
      await page.keyboard.press("Escape");
    }
    await page.goto("/authenticate/login");
    await hydrated(page);
    const lines = await page.locator("main .button, main .field").evaluateAll((all) =>
      all.map((one) => {
        const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(one);
        return borderTopWidth !== "0px" && borderTopStyle !== "none" && borderTopColor !== backgroundColor;
      }),
    );
    expect(lines).not.toContain(false);
  }
});

test("with more contrast words and lines are as dark as ink, on pages, at the till and in the back office", async ({
  page,
}) => {
  await page.emulateMedia({ contrast: "more" });
  for (const path of ["/authenticate/login", "/till", "/office"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const colours = await page.evaluate(() => {
      const style = getComputedStyle(document.body);
      return ["ink", "soft", "line", "control"].map((name) => style.getPropertyValue(`--color-${name}`));
    });
    expect(new Set(colours).size, path).toBe(1);
    await expectAccessible(page, `${path} with more contrast`);
  }
});

test("on a dark screen words keep their contrast, on pages, at the till and in the back office, and codes are black on white", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  for (const path of ["/authenticate/login", "/till", "/office"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page, `${path} on a dark screen`);
  }
  const { number } = await joinAs(page, { firstname: "Camille", points: cloths.cashmere });
  await obtainVoucher(page);
  for (const path of ["/", "/account", `${subscribe}?tab=vouchers`, "/account/informations?open=security", subscribe]) {
    await page.goto(path);
    await hydrated(page);
    await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
    await expectAccessible(page, `${path} on a dark screen`);
  }
  await page.getByRole("link", { name: text("fr", "member.enlarge") }).click();
  await expect(page.getByRole("dialog")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await expect.poll(async () => scan(await page.screenshot())).toEqual([`EAN13:${number}`]);
});

test("with reduced motion nothing is animated: no page, no dialog, no menu, no wait", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await joinAs(page, { firstname: "Camille", points: cloths.silk });
  const moving = () =>
    page.evaluate(() => document.getAnimations().map((one) => (one.effect as KeyframeEffect).target?.outerHTML));
  for (const path of ["/", "/authenticate/login", subscribe]) {
    await page.goto(path);
    await hydrated(page);
    expect(await moving(), path).toEqual([]);
    await page.locator("header button").first().click();
    await page.getByRole("dialog").getByRole("radio").first().hover();
    expect(await moving(), `${path}, dialog`).toEqual([]);
  }
  await page.goto(subscribe);
  await hydrated(page);
  await page.route("**/api/loyalty/wallet/google*", () => {});
  await page.getByRole("link", { name: text("fr", "member.walletGoogle") }).click();
  expect(await moving(), "wallet").toEqual([]);
  await page.goto("/account");
  await page.locator(".bottom-bar summary").first().click();
  expect(await moving(), "menu").toEqual([]);
});

test.describe("at the resolution of a print", () => {
  // A sheet of A4, at 288 dots per inch.
  test.use({ viewport: { width: 794, height: 1123 }, deviceScaleFactor: 3 });
  test("printed pages show no controls, and card and vouchers can be scanned from the sheet", async ({ page }) => {
    const { number } = await joinAs(page, { firstname: "Camille", points: cloths.cashmere });
    const code = await obtainVoucher(page);
    await page.emulateMedia({ media: "print" });
    for (const path of ["/account", subscribe, "/store/qrcode", "/loyalty"]) {
      await page.goto(path);
      await hydrated(page);
      await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
      await expectAccessible(page, `${path} on paper`);
      const gone = "header, footer, aside, .bottom-bar, .notice, .button, .skip, button, nav";
      await expect(page.locator(gone).filter({ visible: true }), path).toHaveCount(0);
      await expect(page.getByText(text("fr", "member.leaveOpen")), path).toBeHidden();
    }
    await page.goto(subscribe);
    await hydrated(page);
    const [card, voucher] = [page.locator(".loyalty-card"), page.locator("main li", { hasText: code })];
    expect(await scan(await card.screenshot())).toEqual([`EAN13:${number}`]);
    expect(await scan(await voucher.screenshot())).toEqual([`Code128:${code}`]);
  });
});
