import { randomBytes } from "node:crypto";
import type { APIRequestContext, BrowserContext, Page } from "@playwright/test";
import { at, expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { withoutNetwork } from "../support/console-faults.ts";
import { confirmAddress, joinAs, obtainVoucher, password, signInAs } from "../support/member.ts";
import { kept, settle } from "../support/phone.ts";

const t = (id: string, values = {}) => text("fr", id, values);
const informations = "/account/informations";
const profile = `${informations}?open=profile`;
const subscribe = "/account/loyalty/subscribe";
const rewards = `${subscribe}?tab=vouchers`;
const sameOrigin = { "sec-fetch-site": "same-origin" };

test.use({ serviceWorkers: "allow", tolerated: withoutNetwork });

/** Registers a person in this browser; the one who was signed in before no longer is. */
async function register(page: Page, firstname: string): Promise<string> {
  const email = `${randomBytes(6).toString("hex")}@exemple.fr`;
  const form = { Email: email, Password: password, Firstname: firstname, Lastname: "Robert", Birthday: "1990-07-14" };
  expect((await page.request.post("/api/customer", { form, headers: sameOrigin })).status()).toBe(200);
  return email;
}

/** Ends every session of the customer, as a person on another device would. */
async function endSessionsElsewhere(elsewhere: APIRequestContext, email: string): Promise<void> {
  const form = { Email: email, Password: password };
  const { AuthData } = await (await elsewhere.post("/api/authentification/email", { form })).json();
  const headers = { authorization: `Bearer ${AuthData.Token}` };
  expect((await elsewhere.delete("/api/customer/session", { headers })).status()).toBe(200);
}

/** Signs a person in beside the person who is signed in, as a link of the shop does, and opens their page in another tab. */
async function signInNextDoor(context: BrowserContext, email: string): Promise<Page> {
  await signInBeside(context, email);
  const door = await context.newPage();
  await door.goto(informations);
  return door;
}

async function signInBeside({ request }: { request: APIRequestContext }, email: string): Promise<void> {
  const form = { Email: email, Password: password };
  expect((await request.post("/api/authentification/email", { form, headers: sameOrigin })).status()).toBe(200);
}

const nameNow = async (page: Page) => (await (await page.request.get("/api/customer")).json()).Firstname;

test("a reward that can no longer be paid is refused, and the page shows the true balance", async ({ page }) => {
  await joinAs(page, { firstname: "Camille" });
  await confirmAddress(page);
  await page.goto(rewards);
  await hydrated(page);
  // Spent meanwhile, on another device.
  const code = await obtainVoucher(page);
  await page.locator("summary").filter({ hasText: "250" }).click();
  await page.getByRole("button", { name: /Oui, obtenir/ }).click();
  await expect(page.getByText(t("refusal.not_enough_points"))).toBeVisible();
  await expect(page.locator(".card-points")).toHaveText("0");
  await expect(page.getByText(code).first()).toBeVisible();
});

test("when somebody else signs in next door, the page says so at once, keeps what was typed and writes nothing", async ({
  page,
  context,
}) => {
  const bruno = await register(page, "Bruno");
  await register(page, "Anna");
  await page.goto(profile);
  await hydrated(page);
  await page.getByLabel(t("identity.firstname")).fill("Annabelle");
  const next = await signInNextDoor(context, bruno);

  await expect(page.getByText(t("account.pageFor", { name: "Anna" }))).toBeVisible();
  await expect(page.getByText(t("account.sessionOf", { name: "Bruno" }))).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: t("informations.save") }).click();
  await expect(page.getByText(t("refusal.other_customer"))).toBeVisible();
  await expect(page.getByLabel(t("identity.firstname"))).toHaveValue("Annabelle");
  await expect(page.getByRole("link", { name: "Anna", exact: true })).toBeVisible();
  expect(await nameNow(next)).toBe("Bruno");

  await page.getByRole("link", { name: t("account.reloadFor", { name: "Bruno" }) }).click();
  await expect(page.getByLabel(t("identity.firstname"))).toHaveValue("Bruno");
  await expect(page.getByText(t("account.pageFor", { name: "Anna" }))).toBeHidden();
  await page.getByLabel(t("identity.firstname")).fill("Brunello");
  await page.getByRole("button", { name: t("informations.save") }).click();
  await expect(page.getByText(t("identity.saved"))).toBeVisible();
  expect(await nameNow(next)).toBe("Brunello");
});

test("a tab that was told nothing is refused by the server, and then says who is signed in", async ({ page }) => {
  const { email: bruno } = await joinAs(page, { firstname: "Bruno" });
  await joinAs(page, { firstname: "Anna" });
  await confirmAddress(page);
  await page.goto(rewards);
  await hydrated(page);
  const form = { Email: bruno, Password: password };
  await page.request.post("/api/authentification/email", { form, headers: sameOrigin });

  await page.locator("summary").filter({ hasText: "250" }).click();
  await page.getByRole("button", { name: /Oui, obtenir/ }).click();
  await expect(page.getByText(t("refusal.other_customer"))).toBeVisible();
  await expect(page.getByText(t("account.pageFor", { name: "Anna" }))).toBeVisible();
  await expect(page.getByText(t("account.sessionOf", { name: "Bruno" }))).toBeVisible();
  const standing = await (await page.request.get("/api/loyalty/customer")).json();
  expect(standing.Points.Available).toBe(250);

  // A link leads to a page that is Bruno's as a whole.
  await page.getByRole("link", { name: t("menu.informations"), exact: true }).click();
  await expect(page.getByLabel(t("identity.firstname"))).toHaveValue("Bruno");
  await expect(page.getByRole("link", { name: "Bruno", exact: true })).toBeVisible();
});

test("the card kept for a till without a network goes when somebody else signs in next door", async ({
  page,
  context,
}) => {
  const bruno = await register(page, "Bruno");
  await joinAs(page, { firstname: "Anna" });
  await settle(page, subscribe);
  await expect.poll(() => kept(page)).not.toEqual([]);
  await signInNextDoor(context, bruno);
  await expect(page.getByText(t("account.sessionOf", { name: "Bruno" }))).toBeVisible();
  await expect.poll(() => kept(page)).toEqual([]);
});

test("signing out next door is told at once; signing in again lets the form be sent as it was typed", async ({
  page,
  context,
}) => {
  const anna = await register(page, "Anna");
  await page.goto(profile);
  await hydrated(page);
  await page.getByLabel(t("identity.firstname")).fill("Annabelle");
  const next = await context.newPage();
  await next.goto("/account");
  await hydrated(next);
  await next.getByRole("button", { name: t("menu.logout") }).click();
  await expect(page.getByText(t("account.sessionEnded"))).toBeVisible();
  await expectAccessible(page);

  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: t("account.signInAgain") }).click();
  const door = await opened;
  await signInAs(door, anna);
  await expect(door).toHaveURL(profile);
  await expect(page.getByText(t("account.sessionBack"))).toBeVisible();
  await expect(page.getByText(t("account.sessionEnded"))).toBeHidden();
  await page.getByRole("button", { name: t("informations.save") }).click();
  await expect(page.getByText(t("identity.saved"))).toBeVisible();
  await expect(page.getByText(t("account.sessionBack"))).toBeHidden();
  expect(await nameNow(page)).toBe("Annabelle");
});

test("a form sent after the session ended elsewhere stays as it was typed, and somebody else cannot send it", async ({
  page,
  request,
}) => {
  const bruno = await register(page, "Bruno");
  const anna = await register(page, "Anna");
  await page.goto(profile);
  await hydrated(page);
  await page.getByLabel(t("identity.firstname")).fill("Annabelle");
  await endSessionsElsewhere(request, anna);
  await page.getByRole("button", { name: t("informations.save") }).click();
  await expect(page.getByText(t("account.sessionEnded"))).toBeVisible();
  await expect(page.getByLabel(t("identity.firstname"))).toHaveValue("Annabelle");
  await expect(page.getByRole("link", { name: "Anna", exact: true })).toBeVisible();

  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: t("account.signInAgain") }).click();
  await signInAs(await opened, bruno);
  await expect(page.getByText(t("account.sessionOf", { name: "Bruno" }))).toBeVisible();
  await page.getByRole("button", { name: t("informations.save") }).click();
  await expect(page.getByText(t("refusal.other_customer"))).toBeVisible();
  await expect(page.getByLabel(t("identity.firstname"))).toHaveValue("Annabelle");
  expect(await nameNow(page)).toBe("Bruno");
});

test("a form that reaches nobody keeps who it was made for", async ({ page, context }) => {
  const bruno = await register(page, "Bruno");
  await register(page, "Anna");
  await page.goto(profile);
  await hydrated(page);
  await page.getByLabel(t("identity.firstname")).fill("Annabelle");
  await context.setOffline(true);
  await page.getByRole("button", { name: t("informations.save") }).click();
  await expect(page.getByText(t("form.unreachable"))).toBeVisible();
  await expect(page.getByRole("link", { name: "Anna", exact: true })).toBeVisible();
  await context.setOffline(false);
  const form = { Email: bruno, Password: password };
  await page.request.post("/api/authentification/email", { form, headers: sameOrigin });
  await page.getByRole("button", { name: t("informations.save") }).click();
  await expect(page.getByText(t("refusal.other_customer"))).toBeVisible();
  expect(await nameNow(page)).toBe("Bruno");
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the session ended, or is somebody else's: the page says so, with what was typed", async ({ page, request }) => {
    const locale = "de";
    const say = (id: string, values = {}) => text(locale, id, values);
    const bruno = await register(page, "Bruno");
    const anna = await register(page, "Anna");
    await page.goto(at(locale, profile));
    await page.getByLabel(say("identity.firstname")).fill("Annabelle");
    await endSessionsElsewhere(request, anna);
    await page.getByRole("button", { name: say("informations.save") }).click();
    await expect(page.getByText(say("account.sessionEnded"))).toBeVisible();
    await expect(page.getByLabel(say("identity.firstname"))).toHaveValue("Annabelle");

    const opened = page.waitForEvent("popup");
    await page.getByRole("link", { name: say("account.signInAgain") }).click();
    const door = await opened;
    await door.getByLabel(say("identity.email")).fill(bruno);
    await door.locator("[name=Password]").fill(password);
    await door.getByRole("button", { name: say("login.submit") }).click();
    await expect(door).toHaveURL(at(locale, profile));
    for (const _twice of [1, 2]) {
      await page.getByRole("button", { name: say("informations.save") }).click();
      await expect(page.getByText(say("refusal.other_customer")).first()).toBeVisible();
      await expect(page.getByText(say("account.sessionOf", { name: "Bruno" }))).toBeVisible();
      await expect(page.getByLabel(say("identity.firstname"))).toHaveValue("Annabelle");
    }
    expect(await nameNow(page)).toBe("Bruno");
    await signInBeside(page, anna);
    await page.getByRole("button", { name: say("informations.save") }).click();
    await expect(page.getByText(say("identity.saved"))).toBeVisible();
    expect(await nameNow(page)).toBe("Annabelle");
  });
});
