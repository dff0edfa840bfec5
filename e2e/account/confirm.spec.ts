import type { Page } from "@playwright/test";
import { at, expect, expectAccessible, hydrated, type Locale, test, text } from "../support/browser.ts";
import { mailedLink } from "../support/mailbox.ts";
import { joinAs, password, signInAs } from "../support/member.ts";

const fresh = "Nouveau-2026";
const own = { "sec-fetch-site": "same-origin" };

async function choosePassword(page: Page, locale: Locale): Promise<void> {
  await page.locator("[name=Password]").fill(fresh);
  await page.locator("[name=ConfirmPassword]").fill(fresh);
  await page.getByRole("button", { name: text(locale, "email.chooseSubmit") }).click();
}

for (const javaScriptEnabled of [true, false])
  test(`a link opened on another phone ${javaScriptEnabled ? "" : "without script "}asks for a password of one's own, and the account starts clean`, async ({
    context: customer,
    browser,
  }) => {
    const { email } = await joinAs(customer, { firstname: "Eve", lastname: "Mallory" });
    const link = await mailedLink(customer.request, email, "/account/email");
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
    const phone = await context.newPage();
    await phone.goto(link);
    await phone.getByRole("button", { name: text("fr", "email.submit") }).click();
    await expect(phone.getByRole("heading", { name: text("fr", "email.chooseTitle") })).toBeVisible();
    if (javaScriptEnabled) await expectAccessible(phone);
    await choosePassword(phone, "fr");
    await expect(phone.getByText(text("fr", "email.confirmedSignIn"))).toBeVisible();
    await phone
      .getByRole("main")
      .getByRole("link", { name: text("fr", "login.title") })
      .click();
    await phone.getByLabel(text("fr", "identity.email")).fill(email);
    await phone.locator("[name=Password]").fill(fresh);
    await phone.getByRole("button", { name: text("fr", "login.submit") }).click();
    // Below it the messages ask for a name too, as long as there is none.
    const lastname = phone.locator("[name=Lastname]").first();
    await expect(lastname).toHaveValue("");
    // The owner of the address says whether what was entered before is theirs.
    await expect(phone.getByRole("heading", { name: text("fr", "previousDetails.title") })).toBeVisible();
    if (javaScriptEnabled) await expectAccessible(phone);
    await phone.getByRole("button", { name: text("fr", "previousDetails.keep") }).click();
    await expect(lastname).toHaveValue("Mallory");
    await expect(phone.getByText(text("fr", "identity.saved"))).toBeVisible();
    // The person who registered with this address is signed out.
    expect((await customer.request.get("/api/customer")).status()).toBe(401);
    await context.close();
  });

test("a customer who registered elsewhere signs in at the link, confirms and keeps everything", async ({
  context: customer,
  browser,
}) => {
  const { email, number } = await joinAs(customer, { firstname: "Hannah" });
  const link = await mailedLink(customer.request, email, "/account/email");
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "de-DE" });
  const phone = await context.newPage();
  await phone.goto(at("de", link));
  await hydrated(phone);
  await phone.getByRole("button", { name: text("de", "email.submit") }).click();
  await phone
    .getByRole("main")
    .getByRole("link", { name: text("de", "login.title") })
    .click();
  await signInAs(phone, email, "de");
  await phone.getByRole("button", { name: text("de", "email.submit") }).click();
  await expect(phone.getByRole("heading", { name: text("de", "email.confirmedTitle") })).toBeVisible();
  const standing = await (await customer.request.get("/api/loyalty/customer")).json();
  expect(standing.Card.Number).toBe(number);

  // Opened a second time, it says that nothing is left to do.
  await phone.goto(at("de", link));
  await phone.getByRole("button", { name: text("de", "email.submit") }).click();
  await expect(phone.getByRole("heading", { name: text("de", "email.alreadyTitle") })).toBeVisible();
  await expectAccessible(phone);
  await context.close();
});

test("a reset shows which accounts open this one too, and lets them go", async ({ page }) => {
  const { email } = await joinAs(page, { firstname: "Anna" });
  await page.goto(await mailedLink(page.request, email, "/account/email"));
  await page.getByRole("button", { name: text("fr", "email.submit") }).click();
  await expect(page.getByRole("heading", { name: text("fr", "email.confirmedTitle") })).toBeVisible();
  const proof = await page.request.post("/sandbox/facebook/token", {
    form: { Email: email, Firstname: "Anna", Lastname: "Laurent" },
  });
  const linked = await page.request.post("/api/customer/social/facebook", {
    form: { ...(await proof.json()), Password: password },
    headers: own,
  });
  expect((await linked.json()).SocialLogins).toEqual(["facebook"]);
  await page.request.post("/api/customer/password/forget", { form: { Email: email }, headers: own });
  await page.goto(await mailedLink(page.request, email, "/reinitialiser"));
  await expect(page.getByText(text("fr", "password.linked", { providers: "Facebook" }))).toBeVisible();
  await page.getByLabel(text("fr", "password.unlink", { providers: "Facebook" })).check();
  await page.locator("[name=Password]").fill(fresh);
  await page.locator("[name=ConfirmPassword]").fill(fresh);
  await expectAccessible(page);
  await page.getByRole("button", { name: text("fr", "password.newSubmit") }).click();
  await expect(page.getByRole("heading", { name: text("fr", "password.doneTitle") })).toBeVisible();
  const signedIn = await page.request.post("/api/authentification/email", {
    form: { Email: email, Password: fresh },
    headers: own,
  });
  expect((await signedIn.json()).AuthData.Customer.SocialLogins).toEqual([]);
});
