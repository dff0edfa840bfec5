import type { Page } from "@playwright/test";
import { at, expect, expectAccessible, hydrated, type Locale, test, text } from "../support/browser.ts";
import { openRow } from "../support/member.ts";

type Provider = "Google" | "Facebook";
const scripts: Record<Provider, string> = { Google: "**/google/client.js", Facebook: "**/facebook/sdk.js" };

/** Opens a page that offers the providers, and remembers what was asked of them. */
async function open(page: Page, locale: Locale, path = "/authenticate/login"): Promise<string[]> {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/sandbox\/(google|facebook)/.test(pathname)) asked.push(`${request.method()} ${pathname}`);
  });
  await page.goto(at(locale, path));
  await hydrated(page);
  return asked;
}

const buttonOf = (page: Page, locale: Locale, provider: Provider) =>
  page.getByRole("button", { name: text(locale, "identity.social.with", { provider }) }).first();

/** Presses a provider's button and waits for its window. */
async function openWindow(page: Page, press: () => Promise<void>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), press()]);
  await popup.waitForLoadState();
  return popup;
}

/** Goes through the provider's window as a person it has never sent us. */
async function chooseSomebodyNew(popup: Page, locale: Locale, email?: string): Promise<string> {
  await popup.getByText(text(locale, "sandbox.consent.new")).click();
  const field = popup.getByLabel(text(locale, "identity.email"), { exact: true });
  if (email) await field.fill(email);
  const chosen = await field.inputValue();
  await popup.getByRole("button", { name: text(locale, "sandbox.consent.submit") }).click();
  return chosen;
}

const logout = (page: Page, locale: Locale) =>
  page.getByRole("button", { name: text(locale, "menu.logout") }).filter({ visible: true });

test("a Google-type account opens a new account, and leaves it again", async ({ page, context }) => {
  const locale = "en";
  const asked = await open(page, locale);
  await expect(page.getByText(/Google (ou|or|oder) Facebook/)).toBeVisible();
  expect(asked).toEqual([]);

  const popup = await openWindow(page, () => buttonOf(page, locale, "Google").click());
  await expect(popup.locator("html")).toHaveAttribute("lang", locale);
  await expect(popup.getByRole("heading", { level: 1 })).toHaveText(text(locale, "sandbox.consent.title"));
  await expectAccessible(popup);
  await expect(page.getByText(text(locale, "identity.social.waiting", { provider: "Google" }))).toBeVisible();
  await expect(page.locator(".spinner")).toHaveCSS("width", "40px");
  await expectAccessible(page);
  await chooseSomebodyNew(popup, locale);

  await expect(page).toHaveURL(at(locale, "/account/informations"));
  await expect(page.getByRole("banner").getByText("Alix")).toBeVisible();
  await expect(page.getByText(text(locale, "informations.socialLinked"))).toHaveCount(1);
  await expectAccessible(page);
  expect(asked.filter((line) => line === "GET /sandbox/google/client.js")).toHaveLength(1);

  await logout(page, locale).click();
  await expect(page).toHaveURL(at(locale, "/"));
  const left = (await context.cookies()).filter(({ name }) => name.startsWith("auth."));
  expect(left).toEqual([]);
});

test("a Facebook-type account opens a new account, and is signed out there too", async ({ page }) => {
  const locale = "de";
  const asked = await open(page, locale, "/authenticate/register");
  const button = buttonOf(page, locale, "Facebook");
  await expect(button).toHaveAttribute("data-connected", "false");
  expect(asked).toEqual([]);

  const popup = await openWindow(page, () => button.click());
  await expect(button).toHaveAttribute("data-sdk", "SDK Loaded!");
  await expect(button).toHaveAttribute("data-working", "true");
  expect(asked).toContain("POST /sandbox/facebook/page-view");
  await expectAccessible(popup);
  await chooseSomebodyNew(popup, locale);
  await expect(page).toHaveURL(at(locale, "/account"));
  await expect(page.getByText(text(locale, "account.unverified"))).toBeVisible();

  await logout(page, locale).click();
  await expect(page).toHaveURL(at(locale, "/"));
  expect(asked).toContain("POST /sandbox/facebook/logout");
});

test("an address that has an account is not taken over by a Facebook-type account", async ({ page, request }) => {
  const locale = "fr";
  const Email = `lea.${locale}.${Date.now()}@exemple.fr`;
  const person = { Firstname: "Léa", Lastname: "Martin", Password: "cercle2026", Birthday: "1990-05-17" };
  await request.post("/api/customer", { form: { Email, ...person } });
  await open(page, locale);
  const popup = await openWindow(page, () => buttonOf(page, locale, "Facebook").click());
  await chooseSomebodyNew(popup, locale, Email);
  await expect(page.getByRole("alert")).toHaveText(text(locale, "refusal.link_first"));
  await expect(page).toHaveURL(at(locale, "/authenticate/login"));

  // As it says: with the password first, then linked.
  await page.getByLabel(text(locale, "identity.email")).fill(Email);
  await page.getByLabel(text(locale, "identity.password"), { exact: true }).fill("cercle2026");
  await page.getByRole("button", { name: text(locale, "login.submit"), exact: true }).click();
  await openRow(page, text(locale, "informations.security"));
  await page.getByRole("button", { name: `${text(locale, "informations.socialLink")} Facebook` }).click();
  await expect(page.getByText(text(locale, "informations.socialDone"))).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: `${text(locale, "informations.socialUnlink")} Facebook` }).click();
  await expect(page.getByText(text(locale, "informations.socialLinked"))).toHaveCount(0);
});

test("pressing again after Facebook gave no address opens its window again, which asks for the address", async ({
  page,
}) => {
  const locale = "fr";
  await open(page, locale);
  const button = buttonOf(page, locale, "Facebook");
  const first = await openWindow(page, () => button.click());
  await first.getByText(text(locale, "sandbox.consent.new")).click();
  await first.getByLabel(text(locale, "sandbox.consent.hideEmail")).check();
  await first.getByRole("button", { name: text(locale, "sandbox.consent.submit") }).click();
  await expect(page.getByRole("alert")).toHaveText(text(locale, "refusal.email_not_shared"));

  const second = await openWindow(page, () => button.click());
  expect(new URL(second.url()).searchParams.get("auth_type")).toBe("rerequest");
  await chooseSomebodyNew(second, locale);
  await expect(page).toHaveURL("/account/informations");
});

test("the last way in stays, and erasing asks the provider once more", async ({ page }) => {
  const locale = "de";
  await open(page, locale);
  const popup = await openWindow(page, () => buttonOf(page, locale, "Google").click());
  const email = await chooseSomebodyNew(popup, locale);
  await openRow(page, text(locale, "informations.security"));
  await page.getByRole("button", { name: `${text(locale, "informations.socialUnlink")} Google` }).click();
  await expect(page.getByRole("alert")).toHaveText(text(locale, "refusal.last_way_in"));

  await openRow(page, text(locale, "informations.export"));
  await page.getByRole("link", { name: text(locale, "informations.eraseOpen") }).click();
  const confirm = page.getByRole("button", { name: text(locale, "informations.eraseWith", { provider: "Google" }) });
  // Another person at the provider proves nothing.
  const wrong = await openWindow(page, () => confirm.click());
  await chooseSomebodyNew(wrong, locale);
  await expect(page.getByRole("alert")).toHaveText(text(locale, "refusal.proof_invalid"));
  const right = await openWindow(page, () => confirm.click());
  await chooseSomebodyNew(right, locale, email);
  await expect(page).toHaveURL(at(locale, "/"));
});

test("a closed window leaves the page as it was", async ({ page }) => {
  const locale = "de";
  await open(page, locale);
  for (const provider of ["Google", "Facebook"] as const) {
    const popup = await openWindow(page, () => buttonOf(page, locale, provider).click());
    await popup.getByRole("button", { name: text(locale, "sandbox.consent.cancel") }).click();
    await expect(page.getByRole("alert")).toHaveText(text(locale, "identity.social.cancelled", { provider }));
    const again = await openWindow(page, () => buttonOf(page, locale, provider).click());
    await again.close();
    await expect(page.getByRole("alert")).toHaveText(text(locale, "identity.social.cancelled", { provider }));
  }
});

test("a failed authentication leads to the error page and back to the sign-in", async ({ page }) => {
  const locale = "fr";
  await open(page, locale);
  await page.route("**/api/authentification/google", (route) =>
    route.fulfill({ status: 401, contentType: "application/problem+json", body: "{}" }),
  );
  const popup = await openWindow(page, () => buttonOf(page, locale, "Google").click());
  await chooseSomebodyNew(popup, locale);
  await expect(page).toHaveURL(at(locale, "/error"));
  await expect(page.getByText(text(locale, "error.authenticationText"))).toBeVisible();
  await page.getByRole("link", { name: text(locale, "error.signIn") }).click();
  await expect(page).toHaveURL(at(locale, "/authenticate/login"));
});

for (const [provider, locale] of [
  ["Google", "fr"],
  ["Facebook", "de"],
] as const) {
  test.describe(`when ${provider} does not come, in ${locale}`, () => {
    test.use({ tolerated: /^Failed to load resource/ });

    /** The page still does what it is for. */
    async function expectUsable(page: Page) {
      await page.getByLabel(text(locale, "identity.email")).fill("nobody@exemple.fr");
      await page.getByLabel(text(locale, "identity.password"), { exact: true }).fill("mauvais");
      await page.getByRole("button", { name: text(locale, "login.submit"), exact: true }).click();
      await expect(page.getByText(text(locale, "refusal.wrong_login"))).toBeVisible();
    }

    test("blocked, broken, empty or slow: a clear message, a usable page, and the next press tries again", async ({
      page,
    }) => {
      await open(page, locale);
      const button = buttonOf(page, locale, provider);
      await page.route(scripts[provider], (route) => route.abort("blockedbyclient"));
      await button.click();
      const alert = page.getByRole("alert");
      await expect(alert).toHaveText(text(locale, "identity.social.failed", { provider }));
      await expectAccessible(page);

      await page.unrouteAll();
      await page.route(scripts[provider], (route) => route.fulfill({ status: 500, body: "no" }));
      await button.click();
      await expect(alert).toHaveText(text(locale, "identity.social.failed", { provider }));
      await expectUsable(page);

      await page.unrouteAll();
      const popup = await openWindow(page, () => button.click());
      await popup.close();

      // Slow: after ten seconds the page says so.
      await page.clock.install();
      await open(page, locale);
      const asked = page.waitForRequest(scripts[provider]);
      await page.route(scripts[provider], () => {});
      await buttonOf(page, locale, provider).click();
      await asked;
      await expect(page.getByText(text(locale, "identity.social.working", { provider }))).toBeVisible();
      await page.clock.fastForward(8_000);
      await expect(page.locator(".spinner")).toBeVisible();
      await page.clock.fastForward(2_000);
      await expect(page.getByRole("alert")).toHaveText(text(locale, "identity.social.slow", { provider }));
      await expectUsable(page);
    });
  });
}

/**
 * Stands in for the SDK and records its calls; it announces itself only once it is told to. A window asked for outside
 * a press is blocked, as WebKit does.
 */
const recorder = `
  window.asked = [];
  const note = (name) => (...given) => window.asked.push([name, ...given.filter((one) => typeof one !== "function")]);
  const FB = {
    init: note("init"),
    AppEvents: { logPageView: note("logPageView") },
    getLoginStatus(callback) { note("getLoginStatus")(); setTimeout(() => callback({ status: "unknown" })); },
    login(callback, options) {
      const pressed = window.event?.type === "click";
      note(pressed ? "login in the press" : "login blocked")(options);
      if (pressed) window.dismiss = () => callback({ status: "unknown" });
      else callback({ status: "unknown" });
    },
  };
  window.announce = () => { window.FB = FB; window.fbAsyncInit(); };
`;

test("the Facebook-type SDK is added once, initialised as specified when it announces itself, and its window opens in a press", async ({
  page,
}) => {
  await open(page, "fr");
  let loads = 0;
  await page.route(scripts.Facebook, (route) => {
    loads += 1;
    return route.fulfill({ contentType: "text/javascript", body: recorder });
  });
  const button = buttonOf(page, "fr", "Facebook");
  await button.click();
  await expect(button).toHaveAttribute("data-sdk", "loading");
  // As a function: a string would be evaluated in the page, which its content policy forbids.
  await page.waitForFunction(() => "asked" in window);
  expect(await page.evaluate("window.asked")).toEqual([]);
  await page.evaluate("window.announce()");
  await expect(button).toHaveAttribute("data-sdk", "SDK Loaded!");

  // The SDK was loaded by this press, so its window came too late: a second button opens it.
  await expect(page.getByText(text("fr", "identity.social.instead"))).toBeVisible();
  await expectAccessible(page);
  await page
    .getByRole("button", { name: text("fr", "identity.social.with", { provider: "Facebook" }) })
    .last()
    .click();
  await page.evaluate("window.dismiss()");
  await expect(page.getByRole("alert")).toHaveText(text("fr", "identity.social.cancelled", { provider: "Facebook" }));
  // From then on the first button does.
  await button.click();
  const scope = { scope: "public_profile,email" };
  await expect
    .poll(() => page.evaluate("window.asked"))
    .toEqual([
      ["init", { appId: "100000000000004", version: "v2.10", cookie: true, xfbml: false }],
      ["logPageView"],
      ["getLoginStatus"],
      ["login blocked", scope],
      ["login in the press", scope],
      ["login in the press", scope],
    ]);
  await expect(button).toHaveAttribute("data-connected", "false");
  expect(loads).toBe(1);
});

test("signing out waits two seconds at most for a provider that does not respond", async ({ page, context }) => {
  await open(page, "fr", "/authenticate/register");
  const popup = await openWindow(page, () => buttonOf(page, "fr", "Facebook").click());
  await chooseSomebodyNew(popup, "fr");
  await expect(page).toHaveURL("/account");
  // A page of its own, so that the provider's script has to come again.
  await page.clock.install();
  await page.reload();
  await hydrated(page);
  await page.route(scripts.Facebook, () => {});
  const requested = page.waitForRequest(scripts.Facebook);
  // From here on time passes only as the test lets it.
  await page.clock.pauseAt(Date.now() + 60_000);
  await logout(page, "fr").click();
  await requested;
  await page.clock.runFor(2_000);
  await expect(page).toHaveURL("/");
  expect((await context.cookies()).filter(({ name }) => name.startsWith("auth."))).toEqual([]);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the providers are not offered, and the form works", async ({ page }) => {
    await page.goto("/authenticate/login");
    await expect(page.getByText("Google", { exact: true })).toBeHidden();
    await expect(page.getByRole("button", { name: text("fr", "login.submit"), exact: true })).toBeVisible();
  });
});
