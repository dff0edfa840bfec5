import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { password } from "../support/member.ts";

const t = (id: string, values = {}) => text("fr", id, values);
const register = "/authenticate/register";
const address = () => `prise.${randomBytes(5).toString("hex")}@exemple.fr`;

/** Another person has an account with this address, in another browser. */
async function take(page: Page, email = address()): Promise<string> {
  const answer = await page.context().request.post("/api/customer", {
    form: { Email: email, Password: password, Firstname: "Noé", Lastname: "Petit", Birthday: "1990-04-24" },
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect(answer.status()).toBe(200);
  await page.context().clearCookies();
  return email;
}

const alert = (page: Page) => page.getByRole("alert").filter({ hasText: t("identity.emailTaken") });
const next = (page: Page) => page.getByRole("link", { name: t("register.next"), exact: true });
const email = (page: Page) => page.getByLabel(t("identity.email"));

async function fillDetails(page: Page): Promise<void> {
  await page.getByLabel(t("identity.firstname")).fill("Noé");
  await page.locator("[name=Lastname]").fill("Petit");
  await page.getByLabel(t("identity.birthday")).fill("24/04/1990");
}

test("an address taken meanwhile is told on the second step, seen and focused, with the ways on", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto(register);
  await hydrated(page);
  const mine = address();
  await email(page).fill(mine);
  await page.locator("[name=Password]").fill(password);
  await next(page).click();
  await fillDetails(page);
  await take(page, mine);
  await page.getByRole("button", { name: t("register.submit") }).click();

  await expect(alert(page)).toBeFocused();
  await expect(alert(page)).toBeInViewport({ ratio: 1 });
  await expect(alert(page).getByRole("link", { name: t("register.signIn"), exact: true })).toBeVisible();
  await expectAccessible(page);

  // The way back shows the same message at the field; another address takes it away on both steps.
  await alert(page)
    .getByRole("link", { name: t("register.fixAccess") })
    .click();
  await expect(email(page)).toHaveAttribute("aria-invalid", "true");
  await next(page).click();
  await expect(email(page)).toBeFocused();
  await email(page).fill(address());
  await expect(email(page)).not.toHaveAttribute("aria-invalid");
  await next(page).click();
  await expect(page.getByRole("button", { name: t("register.submit") })).toBeVisible();
  await expect(alert(page)).toBeHidden();
  await page.getByRole("button", { name: t("register.submit") }).click();
  await expect(page).toHaveURL("/account");
});

test("the first step does not let an address through that is known to be taken", async ({ page }) => {
  const taken = await take(page);
  await page.goto(register);
  await hydrated(page);
  await page.locator("[name=Password]").fill(password);
  // Pressed from within the field: no one has left it, so no one has asked yet.
  await email(page).fill(taken);
  await email(page).press("Enter");
  await expect(email(page)).toHaveAttribute("aria-invalid", "true");
  await expect(email(page)).toBeFocused();
  await expect(page.getByRole("link", { name: t("register.signIn"), exact: true })).toBeVisible();
  await next(page).click();
  await expect(email(page)).toBeFocused();
  await expect(page.getByLabel(t("identity.firstname"))).toBeHidden();
});

test("when nobody answers whether an address is taken, the first step lets it through", async ({ page }) => {
  await page.route("**/api/customer/email/available", () => {});
  await page.goto(register);
  await hydrated(page);
  await email(page).fill(address());
  await page.locator("[name=Password]").fill(password);
  await next(page).click();
  await expect(page.getByLabel(t("identity.firstname"))).toBeVisible();
});

test("an address carried over from sign-in is asked about at once", async ({ page }) => {
  const taken = await take(page);
  await page.goto("/authenticate/login");
  await hydrated(page);
  await email(page).fill(taken);
  await page.getByRole("link", { name: t("login.create") }).click();
  await expect(email(page)).toHaveValue(taken);
  await expect(page.getByText(t("identity.emailTaken"))).toBeVisible();
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("a taken address is told on the second step too", async ({ page }) => {
    const taken = await take(page);
    await page.goto(register);
    await email(page).fill(taken);
    await page.locator("[name=Password]").fill(password);
    await next(page).click();
    await fillDetails(page);
    await page.getByRole("button", { name: t("register.submit") }).click();
    await expect(alert(page)).toBeInViewport();
    await expect(alert(page).getByRole("link", { name: t("register.signIn"), exact: true })).toBeVisible();
    await alert(page)
      .getByRole("link", { name: t("register.fixAccess") })
      .click();
    await expect(email(page)).toHaveValue(taken);
  });
});
