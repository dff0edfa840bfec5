import { expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { mailedLink } from "../support/mailbox.ts";
import { confirmAddress, joinAs, password, signInAs } from "../support/member.ts";

/** Changing the email address, and stopping the change. */

const informations = "/account/informations";
const own = { "sec-fetch-site": "same-origin" };
const t = (id: string, values = {}) => text("fr", id, values);

test("a new address is asked for, confirmed on another device after signing in, and shown as people write it", async ({
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { email } = await joinAs(page, { firstname: "Anna" });
  await confirmAddress(page);
  await page.goto(`${informations}?open=security`);
  await hydrated(page);
  const section = page.getByRole("region", { name: t("informations.email") });
  await expect(section).toContainText(email);
  await section.getByText(t("informations.emailOpen")).click();
  // What is wrong is shown where it was typed.
  await section.getByLabel(t("informations.emailNew")).fill(email);
  await section.getByRole("button", { name: t("informations.emailSubmit") }).click();
  await expect(section.getByText(t("field.same_email"))).toBeVisible();
  const local = email.split("@")[0] ?? "";
  const written = `${local}@müller-é.example`;
  await section.getByLabel(t("informations.emailNew")).fill(written);
  await section.getByRole("button", { name: t("informations.emailSubmit") }).click();
  await expect(section.getByText(t("informations.emailPending", { email: written }))).toBeVisible();
  await expectAccessible(page, "a change is pending");

  const [, domain] = new URL(`http://${written.split("@")[1]}`).host.match(/(.*)/) ?? [];
  const link = await mailedLink(page.request, `${local}@${domain}`, "/account/email");
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const phone = await context.newPage();
  await phone.goto(link);
  await hydrated(phone);
  await phone.getByRole("button", { name: t("email.submit") }).click();
  await expect(phone.getByRole("heading", { name: t("email.signinTitle") })).toBeVisible();
  await expectAccessible(phone, "sign in first");
  await phone
    .getByRole("main")
    .getByRole("link", { name: t("login.title") })
    .click();
  await signInAs(phone, email);
  await phone.getByRole("button", { name: t("email.submit") }).click();
  await expect(phone.getByRole("heading", { name: t("email.changedTitle") })).toBeVisible();
  await phone.getByRole("link", { name: t("email.toAccount") }).click();
  await expect(phone.getByText(`Anna Laurent · ${written}`)).toBeVisible();
  await context.close();
  // The first device stays signed in.
  await page.goto("/account");
  await expect(page.getByText(`Anna Laurent · ${written}`)).toBeVisible();
});

for (const javaScriptEnabled of [true, false])
  test(`the old address takes the account back from a stolen session${javaScriptEnabled ? "" : ", without script"}`, async ({
    page,
    browser,
  }) => {
    const { email } = await joinAs(page, { firstname: "Anna" });
    await confirmAddress(page);
    // The thief has the session and asks at once: it was opened less than five minutes ago.
    const thief = `voleur-${email}`;
    const asked = await page.request.post("/api/customer/email", { form: { Email: thief }, headers: own });
    expect(asked.status()).toBe(200);
    await page.goto(await mailedLink(page.request, thief, "/account/email"));
    await hydrated(page);
    await page.getByRole("button", { name: t("email.submit") }).click();
    await expect(page.getByRole("heading", { name: t("email.changedTitle") })).toBeVisible();

    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
    const owner = await context.newPage();
    await owner.goto(await mailedLink(page.request, email, "/account/email/stop"));
    await expect(owner.getByRole("heading", { name: t("email.stopTitle") })).toBeVisible();
    if (javaScriptEnabled) await expectAccessible(owner, "stop");
    await owner.getByRole("button", { name: t("email.stopSubmit") }).click();
    await expect(owner.getByRole("heading", { name: t("email.stoppedTitle") })).toBeVisible();
    if (javaScriptEnabled) await expectAccessible(owner, "stopped");
    expect((await page.request.get("/api/customer")).status()).toBe(401);

    await owner.goto(await mailedLink(page.request, email, "/reinitialiser"));
    await owner.locator("[name=Password]").fill("Nouveau-2026");
    await owner.locator("[name=ConfirmPassword]").fill("Nouveau-2026");
    await owner.getByRole("button", { name: t("password.newSubmit") }).click();
    await expect(owner.getByRole("heading", { name: t("password.doneTitle") })).toBeVisible();
    for (const [Email, Password, status] of [
      [email, "Nouveau-2026", 200],
      [email, password, 401],
      [thief, password, 401],
    ] as const) {
      const signedIn = await owner.request.post("/api/authentification/email", {
        form: { Email, Password },
        headers: own,
      });
      expect(signedIn.status()).toBe(status);
    }
    await context.close();
  });
