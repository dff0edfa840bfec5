import { expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { joinAs, signInAs } from "../support/member.ts";

test("the language dialog starts on the current language, changes nothing on cancel, and everything on confirm", async ({
  page,
  context,
}) => {
  await page.goto("/loyalty");
  await hydrated(page);
  const dialog = page.getByRole("dialog", { name: text("fr", "selectLanguage") });
  await expect(dialog).toBeHidden();

  const opener = page.getByRole("button", { name: "Français (FR)" });
  await opener.click();
  await expect(dialog).toBeVisible();
  expect((await dialog.boundingBox())?.width).toBe(600);
  await expect(dialog.getByRole("radio", { name: "Français" })).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole("radio", { name: "Deutsch" }).check();
  await dialog.getByRole("button", { name: text("fr", "shell.cancel") }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL("/loyalty");

  // Confirming the language one already reads is no change either.
  await opener.click();
  await expect(dialog.getByRole("radio", { name: "Français" })).toBeChecked();
  await dialog.getByRole("button", { name: text("fr", "shell.confirm") }).click();
  await expect(page).toHaveURL("/loyalty");

  await opener.click();
  await dialog.getByRole("radio", { name: "Deutsch" }).check();
  await dialog.getByRole("button", { name: text("fr", "shell.confirm") }).click();
  await expect(page).toHaveURL("/de/loyalty");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  const cookie = (await context.cookies()).find(({ name }) => name === "i18n_redirected");
  expect(cookie?.value).toBe("de");
});

test("on a page whose address hides another site's, the language dialog stays on this one", async ({
  page,
  baseURL,
}) => {
  await page.goto("/en//evil.example/x");
  await hydrated(page);
  await page.getByRole("button", { name: "English (EN)" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Français" }).check();
  await dialog.getByRole("button", { name: text("en", "shell.confirm") }).click();
  await expect(page).toHaveURL(`${baseURL}/evil.example/x`);
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
});

test("on the home page French is chosen back although the cookie said German", async ({ page }) => {
  await page.goto("/de");
  await hydrated(page);
  await page.getByRole("button", { name: "Deutsch (DE)" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Français" }).check();
  await dialog.getByRole("button", { name: text("de", "shell.confirm") }).click();
  await expect(page).toHaveURL("/");
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
});

test("a visitor who wanted a page in another language arrives in that language's own document", async ({
  page,
  context,
}) => {
  const { email } = await joinAs(page, { firstname: "Hannah" });
  await context.clearCookies();
  await page.goto("/en/authenticate/login?loginGoTo=/de/account");
  await signInAs(page, email, "en");
  await expect(page).toHaveURL("/de/account");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(
    page.getByRole("heading", { level: 1, name: text("de", "account.hello", { name: "Hannah" }) }),
  ).toBeVisible();
});
