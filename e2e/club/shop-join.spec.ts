import { expect, expectAccessible, hydrated, type Locale, test, text } from "../support/browser.ts";
import { mailedLink } from "../support/mailbox.ts";
import { password } from "../support/member.ts";

test("registered at a till: the QR code brings the card to the phone, the email's link asks whether it is theirs", async ({
  browser,
  request,
}) => {
  const locale: Locale = "de";
  const key = await (await request.get("/sandbox/shop/key")).text();
  const email = `hannah-${Date.now()}@exemple.fr`;
  const joined = await request.post("/api/shop/join", {
    headers: { authorization: `Bearer ${key}` },
    form: { Email: email, Firstname: "Hannah", Lastname: "Meier", LanguageIsoCode: locale },
  });
  const { CardNumber, PassUrl } = await joined.json();

  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "de-DE" });
  const phone = await context.newPage();
  await phone.goto(PassUrl);
  await hydrated(phone);
  await expect(phone.getByRole("heading", { name: text(locale, "pass.title") })).toBeVisible();
  await expect(phone.getByRole("main")).toContainText(CardNumber);
  await expectAccessible(phone, "pass");
  const wallet = await phone.getByRole("link", { name: text(locale, "pass.google") }).getAttribute("href");
  const toWallet = await context.request.get(new URL(wallet ?? "", PassUrl).href, { maxRedirects: 0 });
  expect(toWallet.headers()["location"]).toContain("/wallet/google/save/");
  expect((await context.cookies()).map(({ name }) => name)).not.toContain("auth.token");

  await phone.goto(await mailedLink(request, email, "/account/email"));
  await hydrated(phone);
  await expect(phone.getByRole("heading", { name: text(locale, "email.cardTitle") })).toBeVisible();
  await expect(phone.getByRole("status").first()).toContainText(/2026 .* für Hannah M\. angelegt/);
  await expect(phone.getByRole("main")).not.toContainText("undefined");
  await expectAccessible(phone, "card");
  // The question must be answered.
  await phone.locator("[name=Password]").fill(password);
  await phone.locator("[name=ConfirmPassword]").fill(password);
  await phone.getByRole("button", { name: text(locale, "email.submit") }).click();
  await expect(phone.getByRole("heading", { name: text(locale, "email.cardTitle") })).toBeVisible();
  await phone.getByRole("radio", { name: text(locale, "email.cardKeep") }).check();
  await phone.getByRole("button", { name: text(locale, "email.submit") }).click();
  await expect(phone.getByText(text(locale, "email.confirmedSignIn"))).toBeVisible();
  const signedIn = await context.request.post("/api/authentification/email", {
    form: { Email: email, Password: password },
  });
  expect((await signedIn.json()).AuthData.Customer).toMatchObject({ Lastname: "Meier", EmailVerified: true });
  expect((await (await context.request.get("/api/loyalty/customer")).json()).Card.Number).toBe(CardNumber);
  await context.close();
});
