import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { at, expect, expectAccessible, hydrated, locales, test, text } from "../support/browser.ts";
import { withoutNetwork } from "../support/console-faults.ts";
import { grant, joinAs, obtainVoucher, password, signInAs } from "../support/member.ts";
import { kept, settle, signOutOnPhone } from "../support/phone.ts";
import { scan } from "../support/scanner.ts";

const subscribe = "/account/loyalty/subscribe";

test.use({
  serviceWorkers: "allow",
  ...{ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true },
  tolerated: withoutNetwork,
});

/** Without a network. The page that was open may itself be on its way to the offline page when this one is asked for. */
async function open(page: Page, path: string): Promise<void> {
  await expect(async () => {
    await page.goto(path);
    await expect(page).toHaveURL(path, { timeout: 2_000 });
  }).toPass();
}

/** Where Chromium itself reports what hinders installing. */
async function installabilityErrors(context: BrowserContext, page: Page): Promise<unknown> {
  const session = await context.newCDPSession(page);
  return (await session.send("Page.getInstallabilityErrors")).installabilityErrors;
}

test("the strip that says the network is gone covers neither the menu's handle nor the open menu", async ({
  page,
  context,
}) => {
  await joinAs(page, { firstname: "Camille" });
  await page.goto("/account");
  await hydrated(page);
  await context.setOffline(true);
  const strip = page.getByText(text("fr", "offline.gone"));
  await expect(strip).toBeVisible();
  const handle = page.locator(".bottom-bar summary").first();
  // Refused where something else would be pressed.
  await handle
    .locator("span")
    .first()
    .click({ position: { x: 24, y: 3 } });
  const last = page
    .locator(".bottom-bar li")
    .filter({ visible: true, hasText: text("fr", "menu.client") })
    .last();
  const { height = 0 } = (await last.boundingBox()) ?? {};
  await last.click({ position: { x: 24, y: height - 3 }, trial: true });
});

test("online, then offline, then at the till", async ({ page, context }) => {
  const locale = "de";
  const t = (id: string, values = {}) => text(locale, id, values);
  const { number } = await joinAs(page, { firstname: "Camille", points: 1_240 });
  const code = await obtainVoucher(page);
  await settle(page, at(locale, subscribe));

  await context.setOffline(true);
  for (const path of ["/account", subscribe]) {
    await open(page, at(locale, path));
    await expect(page.getByRole("heading", { level: 1, name: t("offline.card") })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", locale);
    await expect.poll(async () => scan(await page.screenshot())).toContain(`EAN13:${number}`);
  }
  await expect(page.getByText(t("offline.asOfHint"))).toBeVisible();
  const year = String(new Date().getFullYear());
  await expect(page.getByText(t("offline.asOfHint"))).toContainText(year);
  await expectAccessible(page);

  await page.getByRole("link", { name: t("member.enlarge") }).tap();
  await expect(page.getByRole("dialog", { name: "Camille Laurent" })).toBeVisible();
  await expect.poll(async () => scan(await page.screenshot())).toEqual([`EAN13:${number}`]);
  await page.getByRole("button", { name: t("shell.close") }).tap();
  await page.getByRole("link", { name: t("member.voucherShow") }).tap();
  await expect(page.getByRole("dialog").locator("p").last()).toHaveText(code);
  await expect.poll(async () => scan(await page.screenshot())).toEqual([`Code128:${code}`]);
  await page.keyboard.press("Escape");

  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: t("menu.loyalty") })).toBeVisible();
});

test("a page that was open when the network went says so, and its links lead to the card", async ({
  page,
  context,
}) => {
  await joinAs(page, { firstname: "Camille" });
  await settle(page, "/account");
  await context.setOffline(true);
  await expect(page.getByText(text("fr", "offline.gone"))).toBeVisible();
  await page.getByRole("link", { name: text("fr", "menu.shortLoyalty"), exact: true }).tap();
  await expect(page.getByRole("heading", { name: text("fr", "offline.card") })).toBeVisible();
  // Without vouchers too, every picture of the page is there.
  await expect(page.getByText(text("fr", "member.vouchersNone"))).toBeVisible();
  expect(await page.evaluate(() => [...document.images].filter((image) => image.naturalWidth === 0).length)).toBe(0);
  await expect(page).toHaveURL(subscribe);
});

test("what is kept follows the points", async ({ page, context }) => {
  const { email } = await joinAs(page, { firstname: "Camille" });
  await settle(page, subscribe);
  await grant(email, 1_000);
  await settle(page, subscribe);
  await context.setOffline(true);
  await page.goto("/account");
  await expect(page.getByText("1 250").first()).toBeVisible();
});

test("signing out removes the card, with a network and without", async ({ page, context }) => {
  const { email } = await joinAs(page, { firstname: "Camille" });
  await settle(page, subscribe);
  await signOutOnPhone(page);
  await expect(page).toHaveURL("/");
  expect(await kept(page)).toEqual([]);
  await context.setOffline(true);
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: text("fr", "offline.title") })).toBeVisible();
  await expect(page.getByText(text("fr", "offline.empty"))).toBeVisible();
  await expectAccessible(page);
  // Back online the page asks again by itself, and no one is signed in.
  await context.setOffline(false);
  await expect(page).toHaveURL(/authenticate\/login/);
  // A page that is left while its script arrives reports that it did not.
  await hydrated(page);

  await page.goto("/authenticate/login");
  await signInAs(page, email);
  await expect(page).toHaveURL("/account/informations");
  await settle(page, subscribe);
  await context.setOffline(true);
  await signOutOnPhone(page);
  await expect(page.getByText(text("fr", "offline.empty"))).toBeVisible();
  await open(page, "/account");
  await expect(page.getByText(text("fr", "offline.empty"))).toBeVisible();
  expect(await kept(page)).toEqual([]);
  // The first page that reaches the server ends the session there.
  await context.setOffline(false);
  await expect(page).toHaveURL(/authenticate\/login/);
});

test("two customers on one phone never see each other's card", async ({ page, context }) => {
  const first = await joinAs(page, { firstname: "Camille" });
  await settle(page, subscribe);
  // No signing out in between: the second takes the phone as it lies there.
  const second = await joinAs(page, { firstname: "Hannah", lastname: "Weber" });
  await settle(page, subscribe);
  expect(await kept(page)).toHaveLength(1);
  await context.setOffline(true);
  await page.goto("/account");
  await expect(page.getByText("Hannah Weber").first()).toBeVisible();
  await expect(page.getByText("Camille")).toHaveCount(0);
  await expect.poll(async () => scan(await page.screenshot())).toEqual([`EAN13:${second.number}`]);
  expect(await page.content()).not.toContain(first.number);
});

test("when another person signs in, the card of the person before is gone before the next page", async ({
  page,
  browser,
}) => {
  await joinAs(page, { firstname: "Camille" });
  await settle(page, subscribe);
  const elsewhere = await browser.newPage();
  const { email } = await joinAs(elsewhere, { firstname: "Hannah" });
  await elsewhere.close();
  const status = await page.evaluate(
    async (form) =>
      (await fetch("/api/authentification/email", { method: "POST", body: new URLSearchParams(form) })).status,
    { Email: email, Password: password },
  );
  expect(status).toBe(200);
  await expect.poll(() => kept(page)).toEqual([]);
});

test("a session ended elsewhere takes the card along with the next page", async ({ page, context }) => {
  await joinAs(page, { firstname: "Camille" });
  await settle(page, subscribe);
  await context.clearCookies({ name: "auth.token" });
  await page.goto("/");
  await hydrated(page);
  await expect.poll(() => kept(page)).toEqual([]);
});

test("the browser itself finds nothing that hinders installing; in every language the manifest says what is installed", async ({
  launchOptions,
  baseURL,
}) => {
  // Nothing can be installed from a private window, which is what tests are given otherwise, nor by a headless shell.
  const folder = mkdtempSync(join(tmpdir(), "cercle-profile-"));
  const full = "/usr/bin/chromium";
  const context = await chromium.launchPersistentContext(folder, {
    ...launchOptions,
    ...(existsSync(full) && { executablePath: full }),
    baseURL: baseURL ?? "",
  });
  const page = await context.newPage();
  await page.goto("/healthz");
  const tells = JSON.stringify(await installabilityErrors(context, page)).includes("no-manifest");
  test.skip(!tells, "This Chromium does not report what hinders installing.");
  await joinAs(page, { firstname: "Camille" });
  for (const locale of locales) {
    if (locale === "fr") {
      await settle(page, "/account");
      expect(await installabilityErrors(context, page)).toEqual([]);
    } else await page.goto(at(locale, "/account"));
    const manifest = await page.locator("link[rel=manifest]").getAttribute("href");
    const described = await (await page.request.get(manifest ?? "")).json();
    expect(described).toMatchObject({ lang: locale, start_url: at(locale, subscribe), display: "standalone" });
    for (const { src } of described.icons) expect((await page.request.get(src)).status()).toBe(200);
  }
  await context.close();
  rmSync(folder, { recursive: true, force: true });
});

test("an entrance loads nothing of all this", async ({ page }) => {
  await page.goto("/authenticate/login", { waitUntil: "networkidle" });
  await hydrated(page);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});
