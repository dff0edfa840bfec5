import type { Page } from "@playwright/test";
import { expect, hydrated, test, text } from "./browser.ts";
import { joinAs, password } from "./member.ts";

const t = (id: string) => text("fr", id);

/** Keeps the page's script on its way until it is let go. */
async function holdScript(page: Page) {
  const held: (() => void)[] = [];
  await page.route("**/assets/*.js", async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    // The page may be gone by the time its file comes.
    await route.continue().catch(() => {});
  });
  return {
    asked: () => held.length > 0,
    async letGo() {
      await page.unroute("**/assets/*.js");
      for (const go of held) go();
    },
  };
}

test("what is typed while the script is on its way stays; what is sent by then arrives", async ({ page }) => {
  const { email } = await joinAs(page, { firstname: "Camille" });
  await page.context().clearCookies();
  const address = page.getByLabel(t("identity.email"));
  const first = await holdScript(page);
  await page.goto("/authenticate/login", { waitUntil: "commit" });
  await address.fill(email);
  await expect.poll(first.asked).toBe(true);
  await first.letGo();
  await hydrated(page);
  await expect(address).toHaveValue(email);

  const second = await holdScript(page);
  await page.goto("/authenticate/login", { waitUntil: "commit" });
  await address.fill(email);
  await page.locator("[name=Password]").fill(password);
  await page.getByRole("button", { name: t("login.submit") }).click();
  await expect(page).toHaveURL("/account/informations");
  await second.letGo();
});

/** Every kind of page; strangers and customers are shown the same frame. */
const everyPage = [
  "/",
  "/loyalty",
  "/authenticate/login",
  "/authenticate/register",
  "/forget",
  "/password/validate",
  "/password/new?token=worn-out",
  "/account/email?token=worn-out",
  "/account/autologin?email=a@exemple.fr&token=worn-out",
  "/store/qrcode",
  "/error",
  "/nowhere",
  "/account",
  "/account/informations",
  "/account/loyalty/subscribe",
];

test("nothing moves that anybody could see while a page comes, whichever it is", async ({ page }) => {
  await joinAs(page, { firstname: "Camille", points: 1_240 });
  await page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      // The platform's own measure, which TypeScript does not know.
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of everyPage) {
      await page.goto(path);
      await hydrated(page);
      await page.evaluate(() => document.fonts.ready);
      const shift = await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
      // The words stand there before their face has come, and take its place to a hair: a twentieth of what is called good.
      expect(shift, `${path} at ${width} px`).toBeLessThan(0.005);
    }
  }
});

test("a page names its sheet before any script, and every script as what can wait", async ({ request }) => {
  const html = await (await request.get("/")).text();
  const scripts = [...html.matchAll(/<(?:link rel="modulepreload"|script type="module")[^>]*>/g)];
  expect(scripts.length).toBeGreaterThan(3);
  expect(html.indexOf('rel="stylesheet"')).toBeLessThan(scripts[0]?.index ?? 0);
  for (const [tag] of scripts) expect(tag).toMatch(/fetchpriority="low"/i);
});

test("built files come compressed as the browser takes them, and are kept for good", async ({ request }) => {
  const html = await (await request.get("/")).text();
  const files = html.match(/\/assets\/(?:base|browser)-[\w-]+\.(?:js|css)/g) ?? [];
  expect(new Set(files).size).toBe(3);
  for (const file of files)
    for (const encoding of ["br", "gzip"]) {
      const headers = (await request.get(file, { headers: { "accept-encoding": encoding } })).headers();
      expect(headers, file).toMatchObject({
        "content-encoding": encoding,
        "cache-control": "public, max-age=31536000, immutable",
      });
    }
});
