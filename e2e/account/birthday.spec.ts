import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, hydrated, type Locale, test, text } from "../support/browser.ts";
import { password } from "../support/member.ts";

const register = "/authenticate/register";

const names = { fr: "Français", en: "English", de: "Deutsch" };

async function changeLanguage(page: Page, from: Locale, to: Locale): Promise<void> {
  await page.locator("header button").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: names[to] }).check();
  await dialog.getByRole("button", { name: text(from, "shell.confirm") }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", to);
  await hydrated(page);
}

test("a birthday typed in one language is the same day in the others, and the day that is registered", async ({
  page,
}) => {
  await page.goto(`/en${register}#details`);
  await hydrated(page);
  await expect(page.getByText(text("en", "identity.birthdayHint", { example: "24/04/1990" }))).toBeVisible();
  await page.getByLabel(text("en", "identity.birthday")).pressSequentially("03041990");
  await expect(page.locator("[name=Birthday]")).toHaveValue("03/04/1990");

  await changeLanguage(page, "en", "de");
  await expect(page.locator("[name=Birthday]")).toHaveValue("03.04.1990");
  await changeLanguage(page, "de", "en");
  await expect(page.locator("[name=Birthday]")).toHaveValue("03/04/1990");
  await changeLanguage(page, "en", "fr");
  await expect(page.locator("[name=Birthday]")).toHaveValue("03/04/1990");

  await page.getByLabel(text("fr", "identity.email")).fill(`${randomBytes(6).toString("hex")}@exemple.fr`);
  await page.locator("[name=Password]").fill(password);
  await page.locator("[name=Password]").press("Enter");
  await page.getByLabel(text("fr", "identity.firstname")).fill("Oliver");
  await page.locator("[name=Lastname]").fill("Bennett");
  await page.getByRole("button", { name: text("fr", "register.submit") }).click();
  await expect(page).toHaveURL("/account");
  expect((await (await page.request.get("/api/customer")).json()).Birthday).toBe("1990-04-03");
});

test("a draft of an earlier release does not bring back a birthday whose order nobody can tell", async ({ page }) => {
  await page.goto(`${register}#details`);
  await page.evaluate(() => {
    const values = { Firstname: "Oliver", Birthday: "04/03/1990" };
    localStorage.setItem("cercle.registration", JSON.stringify({ values, savedAt: Date.now() }));
    sessionStorage.setItem("cercle.registration.visit", "1");
  });
  await page.reload();
  await expect(page.getByLabel(text("fr", "identity.firstname"))).toHaveValue("Oliver");
  await expect(page.locator("[name=Birthday]")).toHaveValue("");
});
