import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { joinAs, password } from "../support/member.ts";
import { settle } from "../support/phone.ts";

const t = (id: string, values = {}) => text("fr", id, values);
const poster = "/store/qrcode";
const subscribe = "/account/loyalty/subscribe";

/** A tablet beside the till. */
test.use({ serviceWorkers: "allow", viewport: { width: 1024, height: 768 }, hasTouch: true });

/** The next customer takes the tablet. */
async function begin(page: Page): Promise<void> {
  await page.goto(poster);
  await hydrated(page);
  await page.getByText(t("store.here")).click();
  await expect(page.getByText(t("register.fromStore"))).toBeVisible();
  await hydrated(page);
}

async function fill(page: Page): Promise<string> {
  const email = `${randomBytes(6).toString("hex")}@exemple.fr`;
  await page.getByLabel(t("identity.email")).fill(email);
  await page.locator("[name=Password]").fill(password);
  await page.locator("[name=Password]").press("Enter");
  await page.getByLabel(t("identity.firstname")).fill("Margaux");
  await page.locator("[name=Lastname]").fill("Delaunay");
  await page.getByLabel(t("identity.birthday")).fill("03/04/1990");
  return email;
}

async function register(page: Page): Promise<string> {
  await begin(page);
  const email = await fill(page);
  await page.getByRole("button", { name: t("register.cardSubmit", { points: 250 }) }).click();
  await expect(page).toHaveURL(subscribe);
  await expect(page.getByRole("link", { name: t("member.enlarge") })).toBeVisible();
  return email;
}

/** Everything this browser keeps for the site, as one text. */
const keptHere = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const stored = [localStorage, sessionStorage].flatMap((storage) => Object.entries({ ...storage }));
    return JSON.stringify([names.filter((name) => name.startsWith("cercle-card-")), stored]);
  });

async function expectClean(page: Page, email: string): Promise<void> {
  for (const trace of [email, "Margaux", "Delaunay", "1990", "cercle-card-", "cercle.registration"])
    expect(await keptHere(page)).not.toContain(trace);
  await expect(page.getByText(/Margaux|Delaunay/)).toHaveCount(0);
  for (const value of await page.locator("input:not([type=hidden], [type=checkbox], [type=radio])").all())
    await expect(value).toHaveValue("");
}

test("what one customer typed on the shop's device is neither kept nor offered to the next", async ({ page }) => {
  // Left by an earlier release, or by a person who registered from the home page.
  await page.goto(poster);
  await page.evaluate(() => {
    const values = { Email: "margaux@exemple.fr", Firstname: "Margaux", Birthday: "1990-04-03" };
    localStorage.setItem("cercle.registration", JSON.stringify({ values, savedAt: Date.now() }));
  });
  await begin(page);
  await expect(page.getByText(t("register.resume"))).toBeHidden();
  await expectClean(page, "margaux@exemple.fr");
  await expect(page.locator("form.steps")).toHaveAttribute("autocomplete", "off");
  for (const field of await page.locator("form.steps .field").all())
    await expect(field).toHaveAttribute("autocomplete", "off");

  const email = await fill(page);
  await begin(page);
  await expectClean(page, email);
  await page.goBack();
  await page.goBack();
  await hydrated(page);
  await expectClean(page, email);
  // From the home page of the same tab too.
  await page.goto("/authenticate/register#details");
  await hydrated(page);
  await page.getByLabel(t("identity.firstname")).fill("Margaux");
  await page.reload();
  await hydrated(page);
  await expectClean(page, email);
});

test("who is signed in on the shop's device is signed out before the next one registers", async ({ page }) => {
  const { email } = await joinAs(page, { firstname: "Margaux", lastname: "Delaunay" });
  await settle(page, "/account");
  await begin(page);
  expect((await page.request.get("/api/customer")).status()).toBe(401);
  await expect.poll(() => keptHere(page)).not.toContain("cercle-card-");
  await expectClean(page, email);
});

test("once the card was shown, one press ends the visit and leaves nothing of it", async ({ page }) => {
  const email = await register(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: t("store.end") }).click();
  await expect(page).toHaveURL(poster);
  await hydrated(page);
  expect((await page.request.get("/api/customer")).status()).toBe(401);
  await expectClean(page, email);
  await expect(page.getByRole("button", { name: t("store.end") })).toBeHidden();
  for (let steps = 0; steps < 3; steps += 1) {
    await page.goBack();
    await hydrated(page);
    await expectClean(page, email);
  }
  await page.goto(subscribe);
  await expect(page).toHaveURL(/authenticate\/login/);
});

test("a minute without a touch ends the visit by itself, and the minute is counted on the screen", async ({ page }) => {
  await page.clock.install();
  const email = await register(page);
  const count = page.getByRole("timer");
  await page.clock.pauseAt(Date.now() + 3_600_000 * 24);
  // The clock has leapt a day: that ended it, as it would a tablet that slept. The next one starts anew.
  await page.clock.resume();
  await expect(page).toHaveURL(poster);
  await expectClean(page, email);

  const second = await register(page);
  await page.mouse.click(5, 300);
  await expect(count).toContainText(/\b(60|[3-5]\d)\b/);
  await page.clock.fastForward(35_000);
  await expect(count).toContainText(/\b([12]\d|\d)\b/);
  await page.mouse.click(5, 300);
  await expect(count).toContainText(/\b(60|[3-5]\d)\b/);
  // On any page, not only beside the card.
  await page
    .getByRole("link", { name: t("brand"), exact: true })
    .first()
    .click();
  await expect(page).toHaveURL("/");
  await expect(count).toBeVisible();
  await page.clock.fastForward(61_000);
  await expect(page).toHaveURL(poster);
  expect((await page.request.get("/api/customer")).status()).toBe(401);
  await expectClean(page, second);
});

test("a form left half filled on the shop's device is cleared after two minutes", async ({ page }) => {
  await page.clock.install();
  await begin(page);
  const email = await fill(page);
  await expect(page.getByRole("timer")).toBeVisible();
  await page.clock.fastForward(121_000);
  await expect(page).toHaveURL(poster);
  await expectClean(page, email);
});

test("a page of the shop's device that the browser kept whole is loaded anew", async ({ page }) => {
  await begin(page);
  const email = await fill(page);
  const loaded = page.waitForEvent("load");
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    if (document.documentElement.checkVisibility()) throw new Error("A page kept whole must not be seen again.");
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  await loaded;
  await hydrated(page);
  await expectClean(page, email);
});

test("a customer's own phone that scanned the poster stays signed in, and keeps the draft", async ({ page }) => {
  await page.clock.install();
  await page.goto("/authenticate/register?from=store");
  await hydrated(page);
  await page.getByLabel(t("identity.email")).fill("margaux@exemple.fr");
  await page.reload();
  await expect(page.getByLabel(t("identity.email"))).toHaveValue("margaux@exemple.fr");
  await fill(page);
  await page.getByRole("button", { name: t("register.cardSubmit", { points: 250 }) }).click();
  await expect(page).toHaveURL(subscribe);
  await expect(page.getByRole("link", { name: t("member.enlarge") })).toBeVisible();
  await page.clock.fastForward(600_000);
  await expect(page.getByRole("timer")).toBeHidden();
  expect((await page.request.get("/api/customer")).status()).toBe(200);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the button signs out the person who is there, and opens the registration", async ({ page }) => {
    await joinAs(page, { firstname: "Margaux" });
    await page.goto(poster);
    await page.getByText(t("store.here")).click();
    await expect(page.getByText(t("register.fromStore"))).toBeVisible();
    await expect(page.locator("form.steps")).toHaveAttribute("autocomplete", "off");
    expect((await page.request.get("/api/customer")).status()).toBe(401);
  });
});
