import { randomBytes } from "node:crypto";
import { at, expect, expectAccessible, test, text } from "../support/browser.ts";
import { confirmAddress } from "../support/member.ts";

// With its longer words; the markup is the same in every language.
const locale = "de";

// The whole journey with its movements, as most customers see it.
test.use({ reducedMotion: "no-preference" });

test("join, earn, obtain, see the voucher, leave, return", async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const t = (id: string, values = {}) => text(locale, id, values);
  // A phone is there, a birthday too: the profile is complete. The birthday is not this month.
  const month = String(((new Date().getMonth() + 6) % 12) + 1).padStart(2, "0");
  const form = {
    Email: `club.${randomBytes(5).toString("hex")}@exemple.fr`,
    Password: "Secret-2026",
    Firstname: "Inès",
    Lastname: "Robert",
    Birthday: `1990-${month}-14`,
    MobilePhone: "+33612345678",
    LanguageIsoCode: locale,
  };
  const registered = await page.request.post("/api/customer", { form, headers: { origin: baseURL ?? "" } });
  expect(registered.status()).toBe(200);

  await page.goto(at(locale, "/account"));
  await page.getByRole("link", { name: t("account.activate", { points: 250 }) }).click();
  await expect(page.getByRole("heading", { name: t("member.joinTitle") })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: t("member.joinSubmit", { points: 250 }) }).click();
  await expect(page.getByText(t("member.joined", { points: 250 }))).toBeVisible();
  const balance = page.getByRole("region", { name: /Inès Robert/ });
  await expect(balance).toContainText("250");
  await expectAccessible(page);

  await page.getByRole("link", { name: t("member.tab.benefits"), exact: true }).click();
  await page.getByRole("button", { name: t("member.eventObtain", { points: 50 }) }).click();
  // Told where the press was, far below the top.
  const obtained = page.locator("[data-moment=event]");
  await expect(obtained).toHaveText(t("member.eventObtained", { points: 50 }));
  await expect(obtained).toBeInViewport();
  await expect(obtained).toBeFocused();
  await expect(page.getByRole("heading", { name: t("member.events") })).toBeInViewport();
  const points = page.locator(".card-points");
  await expect(points).toHaveText("300");

  await confirmAddress(page);
  await page.reload();
  await page.getByRole("link", { name: t("member.tab.vouchers"), exact: true }).click();
  await page.locator("summary").filter({ hasText: "10" }).filter({ hasText: "250" }).click();
  await page.getByRole("button", { name: new RegExp(t("member.obtainConfirm", { amount: ".*10.*" })) }).click();
  await expect(page.locator("#obtained").getByRole("heading").first()).toContainText("10");
  await expect(points).toHaveText("50");
  await expect(page.getByText(/^[A-Z0-9]{12}$/).first()).toBeVisible();
  await page.getByRole("link", { name: t("member.filter.used"), exact: true }).click();
  await expect(page.getByText(t("member.vouchersNone"))).toBeVisible();

  await page.getByRole("link", { name: t("member.tab.card"), exact: true }).click();
  await page.getByText(t("member.leaveOpen")).click();
  await page.getByRole("button", { name: t("member.leaveConfirm") }).click();
  await expect(page.getByText(t("member.left"))).toBeInViewport();
  await expect(page.getByRole("heading", { name: t("member.formerTitle") })).toBeVisible();
  await expectAccessible(page);
  // The account promises no second gift either: it says what is waiting.
  await page.goto(at(locale, "/account"));
  await expect(page.getByText(/^50 points|^50 Punkte/)).toBeVisible();
  await page.getByRole("link", { name: t("member.formerSubmit") }).click();
  await page.getByRole("button", { name: t("member.formerSubmit") }).click();
  await expect(page.getByText(t("member.returned"))).toBeVisible();
  await expect(balance).toContainText("50");
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("joining and obtaining a voucher", async ({ page, baseURL }) => {
    const form = {
      Email: `noscript.${randomBytes(5).toString("hex")}@exemple.fr`,
      Password: "Secret-2026",
      Firstname: "Inès",
      Lastname: "Robert",
      Birthday: "1990-07-14",
    };
    await page.request.post("/api/customer", { form, headers: { origin: baseURL ?? "" } });
    await page.goto("/account/loyalty/subscribe");
    await page.getByRole("button", { name: text("fr", "member.joinSubmit", { points: 250 }) }).click();
    await expect(page.getByText(text("fr", "member.joined", { points: 250 }))).toBeVisible();
    await confirmAddress(page);
    await page.getByRole("link", { name: text("fr", "member.tab.vouchers"), exact: true }).click();
    await page.locator("summary").filter({ hasText: "10" }).filter({ hasText: "250" }).click();
    await page.getByRole("button", { name: /Oui, obtenir/ }).click();
    await expect(page.getByText(/^[A-Z0-9]{12}$/).first()).toBeVisible();
    // A receipt that is refused: the page is shown again at its form.
    await page.getByRole("link", { name: text("fr", "member.tab.history"), exact: true }).click();
    await page.getByLabel(text("fr", "member.receiptCode")).fill("A23456789BCD");
    await page.getByRole("button", { name: text("fr", "member.receiptSubmit") }).click();
    await expect(page.getByText(text("fr", "member.receiptUnknown"))).toBeInViewport();
  });
});
