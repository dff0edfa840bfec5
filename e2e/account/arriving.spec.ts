import type { Page } from "@playwright/test";
import { expect, hydrated, test, text } from "../support/browser.ts";
import { joinAs, password } from "../support/member.ts";

const t = (id: string) => text("fr", id);

// Movements would be found by what measures whether anything moves.
test.use({ reducedMotion: "no-preference" });

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

/** The platform's own measure, which TypeScript does not know. */
type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

/** Half of what counts as good. The machine's fonts have one size each, so a heading may break elsewhere once ours load. */
const maxLayoutShift = 0.05;

test("a page hardly moves while it loads, nor when its fonts load after everything else, whichever it is", async ({
  page,
}) => {
  // Always the same address, so that its lines always end alike.
  await joinAs(page, { firstname: "Camille", email: "camille.laurent.arriving@exemple.fr", points: 1_240 });
  await page.addInitScript(() => {
    const moved: { value: number; what: string }[] = [];
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[])
        moved.push({ value, what: sources.map(({ node }) => node?.textContent?.slice(0, 60)).join(" | ") });
    }).observe({ type: "layout-shift", buffered: true });
  });
  let fonts: (() => void)[] = [];
  await page.route("**/*.woff2", async (route) => {
    await new Promise<void>((resolve) => fonts.push(resolve));
    await route.continue();
  });
  for (const [width, paths] of [
    [390, everyPage],
    [1440, ["/", "/loyalty", "/authenticate/login", "/account", "/account/loyalty/subscribe"]],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of paths) {
      fonts = [];
      await page.goto(path, { waitUntil: "domcontentloaded" });
      await expect.poll(() => fonts.length).toBeGreaterThan(0);
      // A page without its fonts is not loaded: the press brings the parts that would wait for that.
      await hydrated(page, "body");
      await page.keyboard.press("Shift");
      await hydrated(page);
      await nextFrame(page);
      for (const letGo of fonts) letGo();
      await page.evaluate(() => document.fonts.ready);
      await nextFrame(page);
      const moved = await page.evaluate(
        () => (window as unknown as { moved: { value: number; what: string }[] }).moved,
      );
      const shift = moved.reduce((sum, { value }) => sum + value, 0);
      expect.soft(shift, `${path} at ${width} px: ${JSON.stringify(moved)}`).toBeLessThan(maxLayoutShift);
    }
  }
});

/** Waits until the browser has painted, and reported what moved. */
async function nextFrame(page: Page) {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
      }),
  );
}

test("scripts are asked for when the page has been painted", async ({ page }) => {
  await page.goto("/");
  await hydrated(page);
  const { painted, asked } = await page.evaluate(() => ({
    painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    asked: performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")),
  }));
  expect(asked.length).toBeGreaterThan(3);
  expect(Math.min(...asked.map(({ startTime }) => startTime))).toBeGreaterThanOrEqual(painted);
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
