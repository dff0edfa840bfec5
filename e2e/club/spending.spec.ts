import { randomBytes } from "node:crypto";
import { devices, type Page } from "@playwright/test";
import { at, expect, hydrated, type Locale, test, text } from "../support/browser.ts";
import { confirmAddress, joinAs, password } from "../support/member.ts";
import { scan } from "../support/scanner.ts";

const subscribe = "/account/loyalty/subscribe?tab=vouchers";
const obtainCall = "**/api/loyalty/reward/1/obtain";

test.use({
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  userAgent: devices["Pixel 7"].userAgent,
});

/** The codes of this customer's vouchers, newest first. */
async function codes(page: Page): Promise<string[]> {
  const listed = await page.request.get("/api/loyalty/reward/1/customerReward");
  const { CustomerRewards } = await listed.json();
  return CustomerRewards.map((voucher: { Code: string }) => voucher.Code);
}

const row = (page: Page) => page.locator("details[name=reward]").filter({ hasText: "250" }).first();
const confirm = (page: Page, locale: Locale = "fr") =>
  row(page).getByRole("button", { name: new RegExp(text(locale, "member.obtainConfirm", { amount: ".*10.*" })) });
const obtained = (page: Page) => page.locator("#obtained");

async function openRow(page: Page): Promise<void> {
  await row(page).locator("summary").click();
  await expect(confirm(page)).toBeVisible();
}

async function expectShown(page: Page, code: string): Promise<void> {
  await expect(obtained(page)).toContainText(code);
  await expect(page.locator("details[name=reward][open]")).toHaveCount(0);
}

/** A member with points for several vouchers and a confirmed address. */
async function addSpender(page: Page): Promise<void> {
  await joinAs(page, { firstname: "Camille", points: 1_000 });
  await confirmAddress(page);
}

test("an obtained reward stands where it was asked for, ready for the till", async ({ page }) => {
  const locale = "de";
  await addSpender(page);
  await page.goto(at(locale, subscribe));
  await hydrated(page);
  await row(page).locator("summary").click();
  await confirm(page, locale).tap();
  await expect(obtained(page)).toBeVisible();
  const [code = ""] = await codes(page);
  await expectShown(page, code);
  // Read out because the focus is on it, and seen because the view is.
  const heading = obtained(page).getByRole("heading").first();
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport({ ratio: 1 });
  const show = obtained(page).getByRole("link", { name: text(locale, "member.voucherShow") });
  await expect(show).toBeInViewport({ ratio: 1 });
  await show.tap();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect.poll(async () => scan(await page.screenshot())).toEqual([`Code128:${code}`]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(await codes(page)).toEqual([code]);
});

test("pressed twice, a reward is obtained once; a fresh choice obtains another", async ({ page }) => {
  await addSpender(page);
  await page.goto(subscribe);
  await hydrated(page);
  await openRow(page);
  await confirm(page).dblclick();
  await expect(obtained(page)).toBeVisible();
  const first = await codes(page);
  expect(first).toHaveLength(1);
  await openRow(page);
  await confirm(page).click();
  await expect(obtained(page)).not.toContainText(first[0] ?? "");
  const both = await codes(page);
  expect(both).toHaveLength(2);
  // Both end on the same day: the newest comes last.
  await expectShown(page, both.at(-1) ?? "");
});

test("when the first answer is lost, pressing again shows the voucher that was obtained", async ({ page }) => {
  await addSpender(page);
  await page.goto(subscribe);
  await hydrated(page);
  await page.route(
    obtainCall,
    async (route) => {
      await route.fetch({ maxRetries: 2 });
      await route.abort();
    },
    { times: 1 },
  );
  await openRow(page);
  await confirm(page).click();
  await expect(page.getByRole("alert")).toHaveText(text("fr", "form.unreachable"));
  // What else happens to the page meanwhile changes nothing about it.
  await page.getByRole("link", { name: text("fr", "member.filter.used"), exact: true }).click();
  await expect(page.getByText(text("fr", "member.vouchersNone"))).toBeVisible();
  if (!(await confirm(page).isVisible())) await openRow(page);
  await confirm(page).click();
  await expect(obtained(page)).toBeVisible();
  const [code = "", ...others] = await codes(page);
  expect(others).toEqual([]);
  await expectShown(page, code);
});

test("going back after obtaining finds the row closed, and nothing is spent again", async ({ page }) => {
  await addSpender(page);
  await page.goto("/account");
  await page.goto(subscribe);
  await hydrated(page);
  await openRow(page);
  await confirm(page).click();
  await expect(obtained(page)).toBeVisible();
  await page.goBack();
  await expect(page.locator("details[name=reward][open]")).toHaveCount(0);
  await page.goForward();
  await expect(obtained(page)).toBeVisible();
  await page.reload();
  await expect(obtained(page)).toBeVisible();
  expect(await codes(page)).toHaveLength(1);
});

test("two tabs that show the same points obtain one voucher, and both show it", async ({ page, context }) => {
  await addSpender(page);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(subscribe);
    await hydrated(tab);
    await openRow(tab);
  }
  await confirm(page).click();
  await expect(obtained(page)).toBeVisible();
  await confirm(other).click();
  await expect(obtained(other)).toBeVisible();
  const [code = "", ...others] = await codes(page);
  expect(others).toEqual([]);
  for (const tab of [page, other]) await expectShown(tab, code);
});

/** Registers a member through the API and leaves the address unconfirmed. */
async function addUnconfirmed(page: Page): Promise<void> {
  const registered = await page.request.post("/api/customer", {
    form: {
      Email: `${randomBytes(6).toString("hex")}@exemple.fr`,
      Password: password,
      Firstname: "Camille",
      Lastname: "Laurent",
      Birthday: "1990-07-14",
      LoyaltySubscribe: "true",
    },
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect(registered.status()).toBe(200);
}

test("before the address is confirmed, the rewards say so and send the link again", async ({ page }) => {
  const locale = "en";
  await addUnconfirmed(page);
  await page.goto(at(locale, subscribe));
  await hydrated(page);
  await expect(page.getByText(text(locale, "member.confirmFirst"))).toBeVisible();
  await expect(page.locator("details[name=reward]")).toHaveCount(0);
  await page.getByRole("button", { name: text(locale, "account.resend") }).click();
  await expect(page.getByText(text(locale, "account.resent"))).toBeVisible();
  await confirmAddress(page);
  await page.reload();
  await expect(page.getByText(text(locale, "member.confirmFirst"))).toBeHidden();
  await expect(row(page)).toBeVisible();
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the page after obtaining shows the voucher; reloading it or sending the form again obtains no second one", async ({
    page,
    baseURL,
  }) => {
    await addSpender(page);
    await page.goto(subscribe);
    await openRow(page);
    const form: Record<string, string> = {};
    for (const field of await row(page).locator("input[type=hidden]").all())
      form[(await field.getAttribute("name")) ?? ""] = await field.inputValue();
    await confirm(page).click();
    await expect(obtained(page)).toBeVisible();
    const [code = ""] = await codes(page);
    await expectShown(page, code);
    await expect(obtained(page).getByRole("heading").first()).toBeInViewport({ ratio: 1 });
    await page.reload();
    await expectShown(page, code);
    const again = await page.request.post(subscribe, { form, headers: { origin: baseURL ?? "" } });
    expect(await again.text()).toContain(code);
    expect(await codes(page)).toEqual([code]);
    await obtained(page)
      .getByRole("link", { name: text("fr", "member.voucherShow") })
      .click();
    await expect.poll(async () => scan(await page.screenshot())).toEqual([`Code128:${code}`]);
  });

  test("the link is sent again from the rewards", async ({ page }) => {
    await addUnconfirmed(page);
    await page.goto(subscribe);
    await page.getByRole("button", { name: text("fr", "account.resend") }).click();
    await expect(page.getByText(text("fr", "account.resent"))).toBeVisible();
  });
});
