import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, hydrated, setDataSaving, test, text } from "../support/browser.ts";
import { withoutNetwork } from "../support/console-faults.ts";

const t = (id: string, values = {}) => text("fr", id, values);

test.use({ serviceWorkers: "allow", tolerated: withoutNetwork, reducedMotion: "no-preference" });

/** A customer of their own for this test, signed in. */
async function register(page: Page, baseURL: string | undefined): Promise<string> {
  const Email = `feel.${randomBytes(5).toString("hex")}@exemple.fr`;
  const form = { Email, Password: "Secret-2026", Firstname: "Jeanne", Lastname: "Roux", Birthday: "1990-04-24" };
  const answer = await page.request.post("/api/customer", { form, headers: { origin: baseURL ?? "" } });
  expect(answer.status()).toBe(200);
  return Email;
}

test("an address typed at one door is there at the others, and nowhere after a reload", async ({ page }) => {
  await page.goto("/authenticate/login");
  await hydrated(page);
  await page.getByLabel(t("identity.email")).fill("lea@exemple.fr");
  await page.getByRole("link", { name: t("login.forgotten") }).click();
  await expect(page.getByRole("heading", { name: t("password.forgetTitle") })).toBeVisible();
  await expect(page.getByLabel(t("identity.email"))).toHaveValue("lea@exemple.fr");
  await page.getByRole("link", { name: t("password.backToLogin") }).click();
  await page.getByRole("link", { name: t("login.create") }).click();
  await expect(page.getByRole("heading", { name: t("register.title") })).toBeVisible();
  await expect(page.getByLabel(t("identity.email"))).toHaveValue("lea@exemple.fr");
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(kept).not.toContain("lea@exemple.fr");
  await page.goto("/authenticate/login");
  await expect(page.getByLabel(t("identity.email"))).toHaveValue("");
});

test("who forgot the password on the way to a page still arrives there", async ({ page, baseURL }) => {
  const email = await register(page, baseURL);
  await page.context().clearCookies();
  await page.goto("/account/loyalty/subscribe");
  await hydrated(page);
  await page.getByRole("link", { name: t("login.forgotten") }).click();
  await page.getByRole("link", { name: t("password.backToLogin") }).click();
  await expect(page).toHaveURL("/authenticate/login");
  await page.getByLabel(t("identity.email")).fill(email);
  await page.locator("[name=Password]").fill("Secret-2026");
  await page.getByRole("button", { name: t("login.submit") }).click();
  await expect(page).toHaveURL("/account/loyalty/subscribe");
});

test("a page on its way shows the bar; arriving is announced and takes the focus", async ({ page }) => {
  await page.goto("/authenticate/login");
  await hydrated(page);
  const bar = page.locator(".loading-bar");
  let open = () => {};
  const slow = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route("**/register.page-*.js", async (route) => {
    await slow;
    await route.continue();
  });
  await page.getByRole("link", { name: t("login.create") }).click();
  await expect(bar).toHaveAttribute("data-phase", "running");
  await expect(page.getByRole("progressbar", { name: t("form.working") })).toBeAttached();
  await expectAccessible(page);
  open();
  await expect(page.getByRole("heading", { name: t("register.title") })).toBeVisible();
  await expect(bar).toBeHidden();
  const title = `${t("register.title")} · ${t("brand")}`;
  await expect(page).toHaveTitle(title);
  await expect(page.getByRole("status").filter({ hasText: title })).toBeAttached();
  await expect(page.getByRole("main")).toBeFocused();
});

test("a lost connection is told, a form says it was not sent, a page opens by itself when it is back", async ({
  page,
  context,
  baseURL,
}) => {
  await register(page, baseURL);
  await page.goto("/account/informations?open=profile");
  await hydrated(page);
  const notice = page.locator(".notice");
  await context.setOffline(true);
  await expect(notice).toHaveText(t("offline.gone"));
  await expectAccessible(page);
  await page.getByLabel(t("identity.firstname")).fill("Jeanne-Marie");
  await page.getByRole("button", { name: t("informations.save") }).click();
  await expect(page.getByRole("alert").filter({ hasText: t("form.unreachable") })).toBeVisible();
  await expect(page.getByLabel(t("identity.firstname"))).toHaveValue("Jeanne-Marie");
  await context.setOffline(false);
  await expect(notice).toHaveText(t("offline.back"));
  await expect(notice).toBeHidden();

  await context.setOffline(true);
  await page
    .getByRole("navigation", { name: t("menu.label") })
    .getByRole("link", { name: t("menu.account"), exact: true })
    .click();
  // The error page of this document, or the page that the service worker keeps for such moments.
  const without = page.getByText(t("offline.page")).or(page.getByRole("heading", { name: t("offline.title") }));
  await expect(without.first()).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: t("account.hello", { name: "Jeanne" }) })).toBeVisible();
});

test("a page whose file is lost is loaded afresh once; a minute must pass before the next time", async ({ page }) => {
  await page.goto("/authenticate/login");
  await hydrated(page);
  // The first request is of the old release; the reloaded document finds the file.
  await page.route("**/register.page-*.js", (route) => route.abort(), { times: 1 });
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.getByRole("link", { name: t("login.create") }).click();
  await page.waitForFunction(() => !("sameDocument" in window));
  await expect(page).toHaveURL("/authenticate/register");
  await expect(page.getByRole("heading", { name: t("register.title") })).toBeVisible();
  await hydrated(page);

  await page.route("**/password.page-*.js", (route) => route.abort());
  await page.getByRole("link", { name: t("login.title") }).click();
  await page.getByRole("link", { name: t("login.forgotten") }).click();
  await expect(page.getByText(t("error.kicker"))).toBeVisible();
  await expect(page).toHaveURL("/forget");

  // Once the file is there again, following the link is enough.
  await page.unroute("**/password.page-*.js");
  await page.goBack();
  await page.getByRole("link", { name: t("login.forgotten") }).click();
  await expect(page.getByRole("heading", { name: t("password.forgetTitle") })).toBeVisible();
});

test("pages whose links are in view come early, the account's not for strangers, and none with data saver", async ({
  page,
}) => {
  const files: string[] = [];
  page.on("request", (request) => files.push(new URL(request.url()).pathname));
  const brought = (name: string) => files.some((file) => file.includes(`/${name}.page-`));
  await page.goto("/authenticate/login");
  await hydrated(page);
  await page.waitForLoadState("networkidle");
  expect(brought("register")).toBe(false);

  await setDataSaving(page, false);
  await page.goto("/authenticate/login");
  await expect.poll(() => brought("register")).toBe(true);
  await expect.poll(() => brought("home")).toBe(true);
  expect(brought("informations")).toBe(false);
});

test("account pages follow each other in a transition, which stands still for who asked for that", async ({
  page,
  baseURL,
}) => {
  await register(page, baseURL);
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      const transition = start(update);
      const moving = transition.ready.then(() => document.getAnimations().length);
      Object.assign(window, { moving });
      return transition;
    };
  });
  await page.goto("/account");
  await hydrated(page);
  const menu = page.getByRole("navigation", { name: t("menu.label") });
  const moving = async (link: string, title: string) => {
    await menu.getByRole("link", { name: t(link), exact: true }).click();
    await expect(page).toHaveTitle(`${t(title)} · ${t("brand")}`);
    return page.evaluate(() => (window as unknown as { moving: Promise<number> }).moving);
  };
  expect(await moving("menu.informations", "informations.title")).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await moving("menu.account", "shell.myAccount")).toBe(0);
});

test("the language dialog by keyboard alone: opened, walked, left, and the focus back where it was", async ({
  page,
}) => {
  await page.goto("/loyalty");
  await hydrated(page);
  const opener = page.getByRole("button", { name: "Français (FR)" });
  await opener.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: "Français" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(dialog.getByRole("radio", { name: "English" })).toBeChecked();
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: t("shell.cancel") })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: t("shell.confirm") })).toBeFocused();
  await page.keyboard.press("Escape");
  // Gone, not only hidden, which its role cannot tell: the page learns a moment later that the browser has closed it.
  await expect(page.locator("dialog:has([value=fr])")).toHaveCount(0);
  await expect(opener).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("radio", { name: "Français" })).toBeChecked();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/en/loyalty");
});

test("the mobile menu by keyboard alone: opened, walked, closed with Escape", async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await register(page, baseURL);
  await page.goto("/account");
  await hydrated(page);
  const opener = page.locator(".bottom-bar summary").first();
  await opener.focus();
  await page.keyboard.press("Enter");
  const panel = page.locator(".bottom-bar details > div").first();
  await expect(panel).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(panel.locator("summary").first()).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(panel.getByRole("link", { name: t("menu.account") })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(opener).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/account/informations");
  await expect(panel).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();
});

test("with colours chosen by the reader, card, meters and buttons keep their outline", async ({ page, baseURL }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await register(page, baseURL);
  const join = await page.request.post("/api/loyalty/subscribe", {
    form: {
      CustomerBirthday: "1990-04-24",
      LanguageIsoCode: "fr",
      LoyaltyCustomerState: "true",
      IdLoyaltyProgram: "4",
    },
    headers: { origin: baseURL ?? "" },
  });
  expect(join.status()).toBe(200);
  await page.goto("/account/loyalty/subscribe");
  await hydrated(page);
  for (const outlined of [".loyalty-card", ".meter", ".button"])
    expect(
      await page
        .locator(outlined)
        .first()
        .evaluate((element) => Number.parseFloat(getComputedStyle(element).borderTopWidth)),
      outlined,
    ).toBeGreaterThan(0);
  await expect(page.locator(".loyalty-card .cloth")).toBeHidden();
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("there is no bar, no strip and nothing to announce", async ({ page }) => {
    await page.goto("/authenticate/login");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator(".loading-bar")).toHaveCount(0);
    await expect(page.locator(".notice")).toBeEmpty();
  });
});
