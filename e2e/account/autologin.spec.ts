import { execFileSync, spawnSync } from "node:child_process";
import type { APIRequestContext } from "@playwright/test";
import { at, expect, expectAccessible, hydrated, type Locale, test, text } from "../support/browser.ts";

/** A link as the operator prints it, beside the running app. */
function printLink(email: string, baseURL: string | undefined): string {
  const env = { ...process.env, DATA_DIR: process.env["E2E_DATA_DIR"], PUBLIC_URL: baseURL };
  return execFileSync(process.execPath, ["dist/server/autologin-link.js", email], { env, encoding: "utf8" }).trim();
}

let count = 0;
async function register(request: APIRequestContext, locale: Locale, Firstname = "Léa"): Promise<string> {
  count += 1;
  const Email = `${Firstname.toLowerCase().replace("é", "e")}.${process.pid}.${count}.${Date.now()}@exemple.fr`;
  const person = { Firstname, Lastname: "Martin", Password: "cercle2026", Birthday: "1990-05-17" };
  const answer = await request.post("/api/customer", { form: { Email, ...person, LanguageIsoCode: locale } });
  expect(answer.status()).toBe(200);
  return Email;
}

test("a link signs in by itself, once, and its token leaves the address bar at once", async ({
  page,
  playwright,
  baseURL,
}) => {
  const locale = "de";
  const stranger = await playwright.request.newContext({ baseURL });
  const email = await register(stranger, locale);
  const link = printLink(email, baseURL);
  expect(new URL(link).pathname).toBe(at(locale, "/account/autologin"));
  // A mail scanner opens it first; that uses nothing up.
  expect((await stranger.get(link)).status()).toBe(200);

  const seen: string[] = [];
  page.on("framenavigated", (frame) => seen.push(frame.url()));
  await page.goto("/loyalty");
  await page.goto(link);
  await expect(page).toHaveURL(at(locale, "/account"));
  await expect(page.getByText(email)).toBeVisible();
  // Before anything was sent the address was clean, and no later step brings the token back.
  const cleaned = seen.indexOf(new URL(at(locale, "/account/autologin"), baseURL).href);
  expect(cleaned).toBeGreaterThan(0);
  expect(seen.slice(cleaned).filter((url) => url.includes("token="))).toEqual([]);

  await page.goBack();
  await expect(page).toHaveURL("/loyalty");

  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole("alert")).toHaveText(text(locale, "refusal.link_expired"));
  await expect(page).toHaveURL(at(locale, "/account/autologin"));
  await expectAccessible(page);
  await page.getByRole("link", { name: text(locale, "login.title") }).click();
  await expect(page).toHaveURL(at(locale, "/authenticate/login"));
});

test("a customer who is signed in as another is asked before switching", async ({ page, playwright, baseURL }) => {
  const locale = "en";
  const stranger = await playwright.request.newContext({ baseURL });
  const email = await register(stranger, locale);
  const current = await register(page.request, locale, "Noé");
  const link = printLink(email, baseURL);

  await page.goto(link);
  await hydrated(page);
  await expect(page.getByText(text(locale, "autologin.other", { current, email }))).toBeVisible();
  await expect(page).toHaveURL(at(locale, "/account/autologin"));
  await expectAccessible(page);
  await page.getByRole("link", { name: text(locale, "autologin.stay") }).click();
  await expect(page).toHaveURL(at(locale, "/account"));
  await expect(page.getByText(current)).toBeVisible();

  // Staying has used nothing up.
  await page.goto(link);
  await hydrated(page);
  await page.getByRole("button", { name: text(locale, "autologin.switch") }).click();
  await expect(page).toHaveURL(at(locale, "/account"));
  await expect(page.getByText(email)).toBeVisible();
});

test("a link on a foreign page signs nobody in without a press", async ({ page, playwright, baseURL }) => {
  const stranger = await playwright.request.newContext({ baseURL });
  const email = await register(stranger, "fr", "Eve");
  const { cookies } = await stranger.storageState();
  const token = cookies.find(({ name }) => name === "auth.token")?.value ?? "";
  const session = new URL(`/account/autologin?${new URLSearchParams({ email, token })}`, baseURL).href;
  const links = [printLink(email, baseURL), session];
  await page.route("https://evil.example/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: links.map((link) => `<a rel="noreferrer" href="${link.replace("&", "&amp;")}">Win</a>`).join(),
    }),
  );
  const asks = async () => {
    await hydrated(page);
    await expect(page.getByText(text("fr", "autologin.check"))).toBeVisible();
    await expect(page.getByText(text("fr", "autologin.text", { email }))).toBeVisible();
    await expect(page).toHaveURL("/account/autologin");
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("auth.token");
  };
  for (const index of links.keys()) {
    await page.goto("https://evil.example/");
    await page.getByRole("link").nth(index).click();
    await asks();
  }
  // Typed or mailed, a session's token asks too: only the shop hands one over.
  await page.goto(session);
  await asks();
  await page.getByRole("button", { name: text("fr", "autologin.submit") }).click();
  await expect(page).toHaveURL("/account");
});

test("a brand that cannot be used is said to the operator in one line that names its file", () => {
  const env = { ...process.env, BRAND_DIR: "/nowhere" };
  const { status, stderr } = spawnSync(process.execPath, ["dist/server/autologin-link.js", "lea@exemple.fr"], {
    env,
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^.*\/nowhere\/brand\.json.*\n$/);
  expect(status).toBe(1);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("a link asks for one press", async ({ page, playwright, baseURL }) => {
    const stranger = await playwright.request.newContext({ baseURL });
    const email = await register(stranger, "fr");
    await page.goto(printLink(email, baseURL));
    await page.getByRole("button", { name: text("fr", "autologin.submit") }).click();
    await expect(page).toHaveURL("/account");
  });
});

test("a link that is not whole leads to the sign-in", async ({ page }) => {
  await page.goto("/account/autologin?email=lea@exemple.fr");
  await expect(page.getByText(text("fr", "autologin.incomplete"))).toBeVisible();
  await expect(page).toHaveURL("/account/autologin");
});
