import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { at, expect, expectAccessible, hydrated, type Locale, test, text } from "../support/browser.ts";
import { testMailed } from "../support/mailed.ts";
import { openRow } from "../support/member.ts";
import { signOutOnPhone } from "../support/phone.ts";

const password = "Secret-2026";
const birthday: Record<Locale, string> = { fr: "24041990", en: "24041990", de: "24041990" };

async function signOut(page: Page, locale: Locale) {
  await signOutOnPhone(page, locale);
  await expect(page).toHaveURL(at(locale, "/"));
}

// The markup is the same in every language; the club's journey is in German.
const locale = "fr";

testMailed("register, confirm, sign out, forget, reset, sign in", async ({ page, mailed }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const t = (id: string, values = {}) => text(locale, id, values);
  const email = `lea.${randomBytes(5).toString("hex")}@exemple.fr`;

  await page.goto(at(locale, "/authenticate/register"));
  await hydrated(page);
  await page.getByLabel(t("identity.email")).fill(email);
  await page.locator("[name=Password]").fill(password);
  await page.getByRole("link", { name: t("register.next") }).click();
  await page.getByLabel(t("identity.firstname")).fill("Léa");
  await page.locator("[name=Lastname]").fill("Martin");
  await page.getByLabel(t("identity.birthday")).pressSequentially(birthday[locale]);
  await page.getByLabel(t("identity.phone")).fill("+49 151 23456789");
  await page.getByLabel(t("identity.consent.loyalty")).check();
  await expectAccessible(page);
  await page.getByRole("button", { name: t("register.submit") }).click();
  await expect(page.getByRole("heading", { name: t("account.hello", { name: "Léa" }) })).toBeVisible();
  await expect(page.getByText(`Léa Martin · ${email}`)).toBeVisible();
  // Joined by the tick: congratulated as anyone who joins later, once.
  const joined = page.locator("[data-moment=join]");
  await expect(joined).toContainText(t("member.joined", { points: 250 }));
  await expect(joined).toBeFocused();
  await expect(page).toHaveURL(at(locale, "/account"));
  await expectAccessible(page);

  await page.goto(await mailed.link(email, t("mail.confirm.subject")));
  await page.getByRole("button", { name: t("email.submit") }).click();
  await expect(page.getByRole("heading", { name: t("email.confirmedTitle") })).toBeVisible();
  await page.getByRole("link", { name: t("email.toAccount") }).click();
  await expect(page.getByText(t("account.unverified"))).toBeHidden();

  await signOut(page, locale);
  await page.goto(at(locale, "/account"));
  await expect(page).toHaveURL(new RegExp(`${at(locale, "/authenticate/login")}\\?loginGoTo=`));

  await page.getByRole("link", { name: t("login.forgotten") }).click();
  await expect(page.getByRole("heading", { name: t("password.forgetTitle") })).toBeVisible();
  await page.getByLabel(t("identity.email")).fill(email);
  await page.getByRole("button", { name: t("password.forgetSubmit") }).click();
  await expect(page.getByRole("heading", { name: t("password.sentTitle") })).toBeVisible();

  await page.goto(await mailed.link(email, t("mail.reset.subject")));
  await page.locator("[name=Password]").fill("Nouveau-2026");
  await page.locator("[name=ConfirmPassword]").fill("Nouveau-2027");
  await page.getByRole("button", { name: t("password.newSubmit") }).click();
  await expect(page.getByText(t("field.password_mismatch"))).toBeVisible();
  await page.locator("[name=ConfirmPassword]").fill("Nouveau-2026");
  await page.getByRole("button", { name: t("password.newSubmit") }).click();
  await page
    .getByRole("main")
    .getByRole("link", { name: t("login.title") })
    .click();

  await page.getByLabel(t("identity.email")).fill(email);
  await page.locator("[name=Password]").fill(password);
  await page.getByRole("button", { name: t("login.submit") }).click();
  await expect(page.getByText(t("refusal.wrong_login"))).toBeVisible();
  await expectAccessible(page);
  await page.locator("[name=Password]").fill("Nouveau-2026");
  await page.getByRole("button", { name: t("login.submit") }).click();
  await expect(page).toHaveURL(at(locale, "/account/informations"));

  await openRow(page, t("informations.profile"));
  await page.getByLabel(t("identity.firstname")).fill("Élodie");
  await page.getByRole("button", { name: t("informations.save") }).click();
  await expect(page.getByText(t("identity.saved"))).toBeVisible();
  await expect(page.getByRole("link", { name: "Élodie" })).toBeVisible();
  await expectAccessible(page);
});

test("an address in use is told as one leaves the field, with the way to sign in", async ({
  page,
  request,
  baseURL,
}) => {
  const email = `taken.${randomBytes(5).toString("hex")}@exemple.fr`;
  const form = { Email: email, Password: password, Firstname: "Noé", Lastname: "Petit", Birthday: "1990-04-24" };
  expect((await request.post("/api/customer", { form, headers: { origin: baseURL ?? "" } })).status()).toBe(200);
  await page.goto("/authenticate/register");
  await hydrated(page);
  await page.getByLabel(text("fr", "identity.email")).fill(email);
  await page.getByLabel(text("fr", "identity.email")).blur();
  await expect(page.getByText(text("fr", "refusal.email_taken"))).toBeVisible();
  await page.getByRole("link", { name: text("fr", "register.signIn"), exact: true }).click();
  await expect(page.getByRole("heading", { name: text("fr", "login.title") })).toBeVisible();
});

test("what was typed survives a reload, and is offered again to who comes back; the password never is", async ({
  page,
  context,
}) => {
  await page.goto("/authenticate/register#details");
  await hydrated(page);
  await page.getByLabel(text("fr", "identity.firstname")).fill("Margaux");
  await page.reload();
  await expect(page.getByLabel(text("fr", "identity.firstname"))).toHaveValue("Margaux");

  const later = await context.newPage();
  await later.goto("/authenticate/register#details");
  await expect(later.getByText(text("fr", "register.resume"))).toBeVisible();
  await expect(later.getByLabel(text("fr", "identity.firstname"))).toHaveValue("");
  await later.getByRole("button", { name: text("fr", "register.resumeYes") }).click();
  await expect(later.getByLabel(text("fr", "identity.firstname"))).toHaveValue("Margaux");
  await expect(later.locator("[name=Password]")).toHaveValue("");
});

test("registration by keyboard alone", async ({ page }) => {
  await page.goto("/authenticate/register");
  await hydrated(page);
  await page.getByLabel(text("fr", "identity.email")).focus();
  await page.keyboard.type(`clavier.${randomBytes(5).toString("hex")}@exemple.fr`);
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel(text("fr", "identity.firstname"))).toBeVisible();
  // Enter on an unfinished form says what is missing and goes there.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel(text("fr", "identity.firstname"))).toBeFocused();
  await page.keyboard.type("Ada");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Lovelace");
  await page.keyboard.press("Tab");
  await page.keyboard.type("10121990");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: text("fr", "account.hello", { name: "Ada" }) })).toBeVisible();
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("registering, a refusal that keeps what was typed, signing out and in again", async ({ page }) => {
    const email = `sans.${randomBytes(5).toString("hex")}@exemple.fr`;
    await page.goto("/en/authenticate/register");
    await page.getByLabel(text("en", "identity.email")).fill(email);
    await page.locator("[name=Password]").fill(password);
    await page.getByRole("link", { name: text("en", "register.next") }).click();
    await page.getByLabel(text("en", "identity.firstname")).fill("Sam");
    await page.getByRole("button", { name: text("en", "register.submit") }).click();
    await expect(page.getByText(text("en", "field.required")).first()).toBeVisible();
    await expect(page.getByLabel(text("en", "identity.firstname"))).toHaveValue("Sam");
    await page.locator("[name=Lastname]").fill("Script");
    await page.getByLabel(text("en", "identity.birthday")).fill("24/04/1990");
    await page.getByRole("link", { name: text("en", "register.back"), exact: true }).click();
    await page.locator("[name=Password]").fill(password);
    await page.getByRole("link", { name: text("en", "register.next") }).click();
    await page.getByRole("button", { name: text("en", "register.submit") }).click();
    await expect(page.getByRole("heading", { name: text("en", "account.hello", { name: "Sam" }) })).toBeVisible();

    await page
      .getByRole("button", { name: text("en", "menu.logout") })
      .first()
      .click();
    await expect(page).toHaveURL("/en");
    await page.goto("/en/account");
    await expect(page).toHaveURL(/authenticate\/login/);
    await page.getByLabel(text("en", "identity.email")).fill(email);
    await page.locator("[name=Password]").fill(password);
    await page.getByRole("button", { name: text("en", "login.submit") }).click();
    await expect(page.getByRole("heading", { name: text("en", "account.hello", { name: "Sam" }) })).toBeVisible();
  });
});
