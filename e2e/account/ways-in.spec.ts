import type { Page } from "@playwright/test";
import { addAuthenticator } from "../support/authenticator.ts";
import { at, expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { mailedCode } from "../support/mailbox.ts";
import { expectReflow, expectTargets, expectZoom } from "../support/measure.ts";
import { confirmAddress, joinAs, openRow } from "../support/member.ts";

/** Signing in without a password: passkeys and mailed codes. */

const login = "/authenticate/login";
const informations = "/account/informations";

async function signOut(page: Page) {
  await page.context().clearCookies({ name: "auth.token" });
}

test("a passkey is added, named, used by autofill and by the button, renamed and removed", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const t = (id: string, values = {}) => text("fr", id, values);
  const authenticator = await addAuthenticator(page);
  // Safari before 18.4 converts neither the options nor the response from and to JSON.
  await page.addInitScript(() => {
    for (const name of ["parseCreationOptionsFromJSON", "parseRequestOptionsFromJSON"])
      Reflect.deleteProperty(PublicKeyCredential, name);
    Reflect.deleteProperty(PublicKeyCredential.prototype, "toJSON");
  });
  await joinAs(page, { firstname: "Anna" });
  await page.goto(`${informations}?open=security`);
  await hydrated(page);
  const section = page.getByRole("region", { name: t("informations.passkeys") });
  await section.getByText(t("informations.passkeyAdd")).click();
  await section.getByLabel(t("informations.passkeyName")).fill("Mon téléphone");
  await section.getByRole("button", { name: t("informations.passkeyMake") }).click();
  await expect(section.getByText(t("informations.passkeysDone"))).toBeVisible();
  await expect(section.getByRole("listitem")).toContainText("Mon téléphone");
  expect(await authenticator.credentials()).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);
  await expectAccessible(page, "with a passkey");

  // The same passkey again: the authenticator has it already.
  await section.getByText(t("informations.passkeyAdd")).click();
  await section.getByRole("button", { name: t("informations.passkeyMake") }).click();
  await expect(section.getByRole("alert")).toHaveText(t("informations.passkeyCancelled"));

  // The browser offers it in the field of the address; the virtual authenticator takes the offer at once.
  await signOut(page);
  await page.goto(login);
  await expect(page).toHaveURL(informations);

  await authenticator.verify(false);
  await signOut(page);
  await page.goto(login);
  await hydrated(page);
  await expect(page.getByLabel(t("identity.email"))).toHaveAttribute("autocomplete", "username webauthn");
  await page.getByRole("button", { name: t("login.withPasskey") }).click();
  await expect(page.getByRole("alert")).toHaveText(t("login.passkeyFailed"));
  await expectAccessible(page, "a passkey that was not used");
  await authenticator.verify(true);
  await page.getByRole("button", { name: t("login.withPasskey") }).click();
  await expect(page).toHaveURL(informations);
  await hydrated(page);
  await openRow(page, t("informations.security"));
  await expect(section.getByRole("listitem")).not.toContainText(t("informations.passkeyUnused"));

  await section.getByText(t("informations.passkeyRename")).click();
  await section.getByRole("listitem").getByLabel(t("informations.passkeyName")).fill("Ma clé");
  await section.getByRole("button", { name: t("informations.save") }).click();
  await expect(section.getByRole("listitem").first()).toContainText("Ma clé");
  await section.getByRole("button", { name: t("informations.passkeyRemove") }).click();
  await expect(section.getByRole("listitem")).toHaveCount(0);
  // The authenticator still has it; here it opens nothing any more.
  await signOut(page);
  await page.goto(login);
  await expect(page.getByRole("alert")).toHaveText(t("refusal.passkey_invalid"));
});

for (const javaScriptEnabled of [true, false])
  test(`a mailed code signs in ${javaScriptEnabled ? "" : "without script "}in the browser that asked for it, and in no other`, async ({
    context: customer,
    browser,
  }) => {
    const t = (id: string, values = {}) => text("fr", id, values);
    const { email } = await joinAs(customer, { firstname: "Anna" });
    await confirmAddress(customer);
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
    const phone = await context.newPage();
    await phone.goto(login);
    if (javaScriptEnabled) await hydrated(phone);
    await phone.getByRole("button", { name: t("login.withCode") }).click();
    // Without an address there is no one to write to.
    await expect(phone.getByText(t("field.required")).first()).toBeVisible();
    await phone.getByLabel(t("identity.email")).fill(email);
    await phone.getByRole("button", { name: t("login.withCode") }).click();
    await expect(phone.getByRole("heading", { name: t("login.codeTitle") })).toBeVisible();
    const code = await mailedCode(customer.request, email);

    // A person who reads the code over a shoulder.
    const stranger = await customer.request.post("/api/authentification/code", {
      form: { Email: email, Code: code },
      headers: { "sec-fetch-site": "same-origin" },
    });
    expect(stranger.status()).toBe(401);

    await phone.getByLabel(t("login.codeLabel")).fill(code === "000000" ? "000001" : "000000");
    await phone.getByRole("button", { name: t("login.submit") }).click();
    await expect(phone.getByText(t("refusal.code_invalid"))).toBeVisible();
    if (javaScriptEnabled) await expectAccessible(phone, "a wrong code");
    await phone.getByLabel(t("login.codeLabel")).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await phone.getByRole("button", { name: t("login.submit") }).click();
    await expect(phone).toHaveURL(informations);
    await context.close();
  });

test("after five wrong codes only a new one helps", async ({ context: customer, browser }) => {
  const t = (id: string, values = {}) => text("fr", id, values);
  const { email } = await joinAs(customer, { firstname: "Anna" });
  await confirmAddress(customer);
  const context = await browser.newContext();
  const phone = await context.newPage();
  await phone.goto(login);
  await hydrated(phone);
  await phone.getByLabel(t("identity.email")).fill(email);
  await phone.getByRole("button", { name: t("login.withCode") }).click();
  const code = await mailedCode(customer.request, email);
  const enter = async (typed: string) => {
    await phone.getByLabel(t("login.codeLabel")).fill(typed);
    await phone.getByRole("button", { name: t("login.submit") }).click();
  };
  const wrong = code === "000000" ? "000001" : "000000";
  for (let n = 0; n < 5; n += 1) {
    const answered = phone.waitForResponse("**/api/authentification/code");
    await enter(wrong);
    expect((await answered).status()).toBe(401);
    await expect(phone.getByLabel(t("login.codeLabel"))).toBeFocused();
  }
  await enter(code);
  await expect(phone.getByText(t("refusal.code_invalid"))).toBeVisible();
  await phone.getByRole("button", { name: t("login.codeAgain") }).click();
  await expect(phone.getByText(t("login.codeAgainDone"))).toBeVisible();
  await enter(await mailedCode(customer.request, email, code));
  await expect(phone).toHaveURL(informations);
  await context.close();
});

test("the ways to sign in fit a small phone in German, and text of twice the size", async ({ page }) => {
  const t = (id: string, values = {}) => text("de", id, values);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(at("de", login));
  await hydrated(page);
  const judge = async (state: string) => {
    await expectAccessible(page, state, { everyRule: true });
    await expectTargets(page, state);
    await expectReflow(page, state);
    await expectZoom(page, state);
  };
  await judge("sign-in");
  await page.getByLabel(t("identity.email")).fill("ein.sehr.langer.name.den.niemand.hat@eine-lange-domain.example");
  await page.getByRole("button", { name: t("login.withCode") }).click();
  await expect(page.getByRole("heading", { name: t("login.codeTitle") })).toBeVisible();
  await judge("code");
  await page.getByLabel(t("login.codeLabel")).fill("12");
  await page.getByRole("button", { name: t("login.submit") }).click();
  await expect(page.getByText(t("field.code"))).toBeVisible();
  await judge("half a code");
  await page.getByRole("link", { name: t("login.codeBack") }).click();
  await expect(page.getByRole("heading", { name: t("login.title") })).toBeVisible();

  const { email } = await joinAs(page, { firstname: "Hannah" });
  await addAuthenticator(page);
  await page.goto(at("de", `${informations}?open=security`));
  await hydrated(page);
  const section = page.getByRole("region", { name: t("informations.passkeys") });
  await section.getByText(t("informations.passkeyAdd")).click();
  await section.getByLabel(t("informations.passkeyName")).fill("Das Handy mit der zerbrochenen Rückseite");
  await section.getByRole("button", { name: t("informations.passkeyMake") }).click();
  await expect(section.getByRole("listitem")).toBeVisible();
  await section.getByText(t("informations.passkeyRename")).click();
  await page.getByText(t("informations.emailOpen")).click();
  await page.getByLabel(t("informations.emailNew")).fill(`neu-${email}`);
  await page.getByRole("button", { name: t("informations.emailSubmit") }).click();
  await expect(page.getByText(t("informations.emailSent"))).toBeVisible();
  await judge("details");
});
