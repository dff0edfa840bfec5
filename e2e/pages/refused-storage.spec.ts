import type { Page } from "@playwright/test";
import { expect, hydrated, test, text } from "../support/browser.ts";
import { joinAs, password } from "../support/member.ts";
import { openTill, scan } from "../support/till-device.ts";

/** Private windows and strict settings: the browser refuses every store of its own, and service workers. */
function refuseStorage(page: Page) {
  return page.addInitScript(() => {
    const refuse = (): never => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
      Object.defineProperty(window, name, { get: refuse });
    Object.defineProperty(ServiceWorkerContainer.prototype, "register", { value: async () => refuse() });
  });
}

test.use({ serviceWorkers: "allow" });

test("a customer registers, signs in and shows the card where the browser stores nothing", async ({ page }) => {
  await refuseStorage(page);
  const t = (id: string) => text("fr", id);
  const email = `private-${Date.now()}@exemple.fr`;
  await page.goto("/authenticate/register");
  await hydrated(page);
  await page.getByLabel(t("identity.email")).fill(email);
  await page.locator("[name=Password]").fill(password);
  await page.getByRole("link", { name: t("register.next"), exact: true }).click();
  await page.locator("[name=Firstname]").fill("Zoé");
  await page.locator("[name=Lastname]").fill("Laurent");
  await page.locator("[name=Birthday]").fill("14/07/1990");
  await page.getByRole("button", { name: t("register.submit") }).click();
  await expect(page).toHaveURL("/account");

  await page.context().clearCookies();
  await page.goto("/forget");
  await hydrated(page);
  await page.getByLabel(t("identity.email")).fill(email);
  await page.getByRole("button", { name: t("password.forgetSubmit") }).click();
  await expect(page.getByRole("heading", { name: t("password.sentTitle") })).toBeVisible();

  await page.context().clearCookies();
  await joinAs(page, { firstname: "Zoé" });
  await page.goto("/account/loyalty/subscribe");
  await hydrated(page);
  await page
    .getByRole("link", { name: t("member.enlarge") })
    .first()
    .click();
  await expect(page.getByRole("dialog", { name: "Zoé Laurent" })).toBeVisible();
});

test.describe("a till", () => {
  // It reports to the log that its sale was not stored.
  test.use({ tolerated: /insecure/ });

  test("that can store nothing opens, finds members, and says that the sale cannot be kept", async ({
    context: customer,
    browser,
  }) => {
    const { number } = await joinAs(customer, { firstname: "Zoé" });
    const context = await browser.newContext();
    const { till } = await openTill(context);
    await refuseStorage(till);
    await till.reload();
    await expect(till.locator(".till-ready")).toBeVisible();
    await scan(till, number);
    await expect(till.locator(".till-points")).toBeVisible();
    await till.locator("#amount").fill("20");
    await till.getByRole("button", { name: text("fr", "till.record") }).click();
    await expect(till.getByText(text("fr", "till.refused.notStoredText"))).toBeVisible();
    await context.close();
  });
});
