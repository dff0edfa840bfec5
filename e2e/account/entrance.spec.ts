import { randomBytes } from "node:crypto";
import { at, expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { mailedLink } from "../support/mailbox.ts";
import { joinAs, password, signInAs } from "../support/member.ts";

const t = (id: string, values = {}) => text("fr", id, values);

test("who has erased the account is told so on the home page, and hears it", async ({ page }) => {
  const locale = "en";
  await joinAs(page, { firstname: "Camille" });
  await page.goto(at(locale, "/account/informations?open=data"));
  await hydrated(page);
  await page.getByText(text(locale, "informations.eraseOpen")).click();
  await page.getByLabel(text(locale, "informations.erasePassword")).fill(password);
  await page.getByRole("button", { name: text(locale, "informations.eraseSubmit") }).click();
  const said = page.getByRole("main").getByText(text(locale, "home.erased"));
  await expect(said).toBeFocused();
  await expect(said).toBeInViewport();
  await expectAccessible(page);
  // Said once: neither a reload nor a shared address says it again.
  await expect(page).toHaveURL(at(locale, "/"));
  await page.reload();
  await expect(said).toBeHidden();
});

test("after a reset the sign-in has the address, which was never in an address bar", async ({ page, context }) => {
  const email = `oubli.${randomBytes(5).toString("hex")}@exemple.fr`;
  const form = { Email: email, Password: password, Firstname: "Ada", Lastname: "Martin", Birthday: "1990-04-24" };
  const headers = { "sec-fetch-site": "same-origin" };
  expect((await page.request.post("/api/customer", { form, headers })).status()).toBe(200);
  await context.clearCookies();
  await page.goto("/forget");
  await hydrated(page);
  await page.getByLabel(t("identity.email")).fill(email);
  await page.getByRole("button", { name: t("password.forgetSubmit") }).click();
  await expect(page.getByRole("heading", { name: t("password.sentTitle") })).toBeVisible();

  // A link in an email opens in a tab of its own.
  const tab = await context.newPage();
  const visited: string[] = [];
  tab.on("framenavigated", (frame) => visited.push(frame.url()));
  await tab.goto(await mailedLink(page.request, email, "/reinitialiser"));
  await hydrated(tab);
  await tab.locator("[name=Password]").fill("Nouveau-2026");
  await tab.locator("[name=ConfirmPassword]").fill("Nouveau-2026");
  await tab.getByRole("button", { name: t("password.newSubmit") }).click();
  await tab
    .getByRole("main")
    .getByRole("link", { name: t("login.title") })
    .click();
  await expect(tab.getByLabel(t("identity.email"))).toHaveValue(email);
  expect(visited.join(" ")).not.toContain("exemple.fr");
  expect(await tab.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(email);
});

test("an address asked about for somebody else is not put into the sign-in", async ({ page, context }) => {
  const email = `oubli.${randomBytes(5).toString("hex")}@exemple.fr`;
  const form = { Email: email, Password: password, Firstname: "Ada", Lastname: "Martin", Birthday: "1990-04-24" };
  const headers = { "sec-fetch-site": "same-origin" };
  expect((await page.request.post("/api/customer", { form, headers })).status()).toBe(200);
  await page.request.post("/api/customer/password/forget", { form: { Email: email }, headers });
  await context.clearCookies();
  await page.goto("/forget");
  await hydrated(page);
  await page.getByLabel(t("identity.email")).fill("bruno@exemple.fr");
  await page.getByRole("button", { name: t("password.forgetSubmit") }).click();
  await expect(page.getByRole("heading", { name: t("password.sentTitle") })).toBeVisible();
  await page.goto(await mailedLink(page.request, email, "/reinitialiser"));
  await hydrated(page);
  await page.locator("[name=Password]").fill("Nouveau-2026");
  await page.locator("[name=ConfirmPassword]").fill("Nouveau-2026");
  await page.getByRole("button", { name: t("password.newSubmit") }).click();
  await page
    .getByRole("main")
    .getByRole("link", { name: t("login.title") })
    .click();
  await expect(page.getByRole("button", { name: t("login.submit") })).toBeVisible();
  await expect(page.getByLabel(t("identity.email"))).toHaveValue("");
});

test("the back button after signing in redirects to the account, not to the form", async ({ page, context }) => {
  const { email } = await joinAs(page, { firstname: "Camille" });
  await context.clearCookies();
  await page.goto("/loyalty");
  await hydrated(page);
  await page.getByRole("link", { name: t("shell.myAccount"), exact: true }).click();
  await signInAs(page, email);
  await expect(page).toHaveURL("/account");
  // At once: the address may change before the page is rendered.
  await page.goBack();
  await expect(page).toHaveURL("/account");
  await expect(page.getByRole("heading", { name: t("account.hello", { name: "Camille" }) })).toBeVisible();
});

test("a page that still shows a name after its session ended leads to the form, without going in circles", async ({
  page,
  context,
}) => {
  await joinAs(page, { firstname: "Camille" });
  await page.goto("/loyalty");
  await hydrated(page);
  await context.clearCookies();
  let navigations = 0;
  page.on("framenavigated", () => {
    navigations += 1;
  });
  await page.getByRole("link", { name: "Camille", exact: true }).click();
  await expect(page.getByRole("button", { name: t("login.submit") })).toBeVisible();
  expect(navigations).toBeLessThan(4);
});

test("strangers ask nobody who they are on their way to the sign-in", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/customer") asked.push(request.url());
  });
  await page.goto("/");
  await hydrated(page);
  await page.getByRole("link", { name: t("home.haveAccount") }).click();
  await expect(page.getByRole("button", { name: t("login.submit") })).toBeVisible();
  await page.getByRole("link", { name: t("login.create") }).click();
  await expect(page.getByRole("heading", { name: t("register.title") })).toBeVisible();
  expect(asked).toEqual([]);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("who has erased the account is told so on the home page", async ({ page }) => {
    await joinAs(page, { firstname: "Camille" });
    await page.goto("/account/informations?open=data");
    await page.getByText(t("informations.eraseOpen")).click();
    await page.getByLabel(t("informations.erasePassword")).fill(password);
    await page.getByRole("button", { name: t("informations.eraseSubmit") }).click();
    await expect(page.getByText(t("home.erased"))).toBeInViewport();
  });
});
