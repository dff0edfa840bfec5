import type { Page } from "@playwright/test";
import { at, expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { confirmAddress, joinAs } from "../support/member.ts";

const memberPage = "/account/loyalty/subscribe";
const shopPath = (locale: string) => `/sandbox/shop${locale === "fr" ? "" : `/${locale}`}`;

const receipt = (page: Page) => page.locator(".receipt").first();

// In German: the longest words.
const locale = "de";
const dayMs = 86_400_000;

test("buy, see the pending points on the phone, spend a voucher, return the garment", async ({ page, context }) => {
  const say = (id: string, values = {}) => text(locale, `sandbox.shop.sell.${id}`, values);
  const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", timeZone: "Europe/Paris" }).format(
    Date.now() + 14 * dayMs,
  );
  const later = (points: number, available: number, pending: number) =>
    say("earned_later", { points, date, available }) + say("pending", { pending });
  await page.setViewportSize({ width: 390, height: 844 });
  await joinAs(page, { firstname: "Camille" });
  await confirmAddress(page);
  await page.goto(shopPath(locale));
  await page.getByRole("link", { name: text(locale, "sandbox.embed.signIn") }).click();
  await page.getByRole("button", { name: `${say("add")} ${say("coat")}` }).click();
  await expect(page.locator("#who")).toContainText("Camille L.");
  await expect(page.locator("#total")).toContainText("320");
  await expectAccessible(page, "basket", { everyRule: true });
  await page.getByRole("button", { name: say("pay"), exact: true }).click();
  await expect(receipt(page)).toContainText(later(320, 250, 320));

  const phone = await context.newPage();
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.goto(at(locale, memberPage));
  await hydrated(phone);
  await expect(phone.getByText(`320 Punkte kommen am ${date} an`)).toBeVisible();
  await expectAccessible(phone, "pending points", { everyRule: true });
  const history = at(locale, `${memberPage}?tab=history`);
  await phone.goto(history);
  await expect(phone.getByRole("row").nth(1)).toContainText(/vorgemerkt bis .*\+320/);
  await phone.request.post("/api/loyalty/reward/1/obtain", {
    form: { IdLoyaltyReward: "1" },
    headers: { "sec-fetch-site": "same-origin" },
  });

  // A receipt with the voucher, which is held while the customer pays.
  await page.reload();
  await page.getByRole("button", { name: `${say("add")} ${say("scarf")}` }).click();
  await page.locator("#vouchers input").check();
  await expect(page.locator("#total")).toContainText("29");
  await phone.goto(at(locale, `${memberPage}?tab=vouchers`));
  await expect(phone.getByText(text(locale, "member.voucherHeld")).first()).toBeVisible();
  await page.getByRole("button", { name: say("pay"), exact: true }).click();
  await expect(receipt(page)).toContainText(later(29, 0, 349));
  await phone.reload();
  await hydrated(phone);
  await expect(phone.getByText(text(locale, "member.voucherHeld"))).toHaveCount(0);

  // The scarf goes back, and with it the voucher.
  await receipt(page)
    .getByRole("button", { name: `${say("back")} ${say("scarf")}` })
    .click();
  await expect(receipt(page)).toContainText(/−29 .*320/);
  await expect(receipt(page).locator("p").last()).toContainText(/Gutschein über 10/);
  await phone.goto(history);
  await expect(phone.getByRole("row").nth(1)).toContainText("+320");
  await expectAccessible(page, "receipts", { everyRule: true });
});

test("without a network the shop queues, also through a reload, and each sale counts once when it is back; a return of old points cancels a voucher", async ({
  page,
}) => {
  const say = (id: string, values = {}) => text("en", `sandbox.shop.sell.${id}`, values);
  const { number } = await joinAs(page, { firstname: "Camille" });
  await confirmAddress(page);
  // Sold so long ago that the points arrive at once.
  await page.clock.setSystemTime(Date.now() - 20 * dayMs);
  await page.goto(shopPath("en"));
  await page.getByLabel(say("card")).fill(number);
  // Pressed while the customer is looked up: what comes moves nothing away from under the finger.
  await page.getByLabel(say("offline")).hover();
  await page.mouse.down();
  await expect(page.locator("#who")).toContainText("Camille");
  await page.mouse.up();
  await expect(page.getByLabel(say("offline"))).toBeChecked();
  for (const garment of ["coat", "belt"]) {
    await page.getByRole("button", { name: `${say("add")} ${say(garment)}` }).click();
    await page.getByRole("button", { name: say("pay"), exact: true }).click();
    await page.getByLabel(say("card")).fill(number);
  }
  await receipt(page)
    .getByRole("button", { name: `${say("back")} ${say("belt")}` })
    .click();
  await expect(page.locator("#queued")).toHaveText(say("queued", { count: 3 }));
  await page.reload();
  await expect(page.locator("#queued")).toHaveText(say("queued", { count: 3 }));
  await page.getByLabel(say("offline")).check();
  await page.clock.setSystemTime(Date.now());
  await page.getByLabel(say("offline")).uncheck();
  await expect(page.locator("#queued")).toHaveText("");
  const { Points } = await (await page.request.get("/api/loyalty/customer")).json();
  expect(Points).toMatchObject({ Available: 570, Pending: 0 });

  for (const key of ["first", "second"])
    await page.request.post("/api/loyalty/reward/1/obtain", {
      form: { IdLoyaltyReward: "1" },
      headers: { "sec-fetch-site": "same-origin", "idempotency-key": key },
    });
  const coat = page.locator(".receipt").last();
  await coat.getByRole("button", { name: `${say("back")} ${say("coat")}` }).click();
  await expect(coat).toContainText("−320 points, balance 0");
  await expect(coat).toContainText(say("cancelled", { amount: "€10.00" }));

  // A large sale is kept, and a person reviews its points.
  await page.getByLabel(say("card")).fill(number);
  await page.getByLabel(say("offline")).check();
  for (let n = 0; n < 10; n += 1) await page.getByRole("button", { name: `${say("add")} ${say("coat")}` }).click();
  await page.getByLabel(say("offline")).uncheck();
  await expect(page.locator("#total")).toHaveText(say("earns_waiting", { amount: "€3,200.00", points: "3,200" }));
  await page.getByRole("button", { name: say("pay"), exact: true }).click();
  await expect(receipt(page)).toContainText(say("waiting", { points: "3,200" }));
});

test("a receipt without a card: its code leads through registration to the points", async ({ page }) => {
  const say = (id: string, values = {}) => text("fr", `sandbox.shop.sell.${id}`, values);
  await page.goto(shopPath("fr"));
  await page.getByRole("button", { name: `${say("add")} ${say("dress")}` }).click();
  await page.getByRole("button", { name: say("pay"), exact: true }).click();
  await expect(receipt(page).locator("img")).toBeVisible();
  const [code = ""] = /A[2-9B-Z]{11}/.exec((await receipt(page).textContent()) ?? "") ?? [];
  await page.goto(`/r/${code}`);
  await expect(page).toHaveURL(/authenticate\/login/);
  await joinAs(page, { firstname: "Nouvelle" });
  await page.goto(`/r/${code}`);
  await hydrated(page);
  const field = page.getByLabel(text("fr", "member.receiptCode"));
  await expect(field).toHaveValue(code);
  await expect(field).toBeInViewport();
  await page.getByRole("button", { name: text("fr", "member.receiptSubmit") }).click();
  const added = page.getByRole("status").filter({ hasText: "89 points" });
  await expect(added).toBeFocused();
  await expect(added).toBeInViewport();
  await page.getByRole("button", { name: text("fr", "member.receiptSubmit") }).click();
  await expect(page.getByText(text("fr", "refusal.receipt_yours"))).toBeVisible();
});
