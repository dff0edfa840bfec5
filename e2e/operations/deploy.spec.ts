import { test as base, expect, hydrated, text } from "../support/browser.ts";
import { type Front, openFront } from "../support/front.ts";
import { joinAs } from "../support/member.ts";
import { settle } from "../support/phone.ts";

const test = base.extend<{ front: Front }>({
  front: async ({ baseURL }, use) => {
    const front = await openFront(baseURL ?? "");
    await use(front);
    front.close();
  },
});

// Files that a deploy removed, a server that is down, and no network at all.
test.use({
  serviceWorkers: "allow",
  tolerated: /status of 404 .*\/assets\/|status of 503 |net::ERR_|An unknown error occurred when fetching/,
});

/** The script the page on the screen started with. */
const script = "script[type=module][src]";

test("a deploy breaks no open page, and leaves no stale shell behind", async ({ page, front, context }) => {
  await joinAs(page, { firstname: "Camille" }, front.url);
  await settle(page, `${front.url}/account`);
  front.deployed = true;

  // The page's file is gone from the server: the page has it already, or is reloaded.
  await page.getByRole("link", { name: text("fr", "menu.informations") }).click();
  await expect(page.getByRole("heading", { name: text("fr", "informations.title") })).toBeVisible();

  // The next visit finds the new worker, which caches its files and takes over; here the open page asks for it.
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  const states = () =>
    page.evaluate(async () => {
      const { installing, waiting, active } = await navigator.serviceWorker.ready;
      return [installing, waiting, active].map((worker) => worker?.state);
    });
  const browser = await context.newCDPSession(page);
  await browser.send("ServiceWorker.enable");
  await expect(async () => {
    const [, waiting] = await states();
    // The one before it has something under way, as Chromium sees it, and is stopped, as an idle one would be.
    if (waiting) await browser.send("ServiceWorker.stopAllWorkers");
    expect(await states()).toEqual([undefined, undefined, "activated"]);
  }).toPass({ timeout: 30_000 });
  await page
    .getByRole("link", { name: text("fr", "menu.loyalty") })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: text("fr", "menu.loyalty") })).toBeVisible();
  const shells = () =>
    page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("cercle-shell-")));
  await expect.poll(shells).toEqual([expect.stringMatching(/^cercle-shell-next-/)]);

  await context.setOffline(true);
  await page.goto(`${front.url}/account`);
  await expect(page.getByRole("heading", { name: text("fr", "offline.card") })).toBeVisible();
  await expect(page.locator(script)).toHaveAttribute("src", /next-/);
});

test("a deploy with a file missing leaves the complete build before it in the cache, and nothing beside it", async ({
  page,
  front,
}) => {
  await joinAs(page, { firstname: "Camille" }, front.url);
  await settle(page, `${front.url}/account`);
  const shells = () =>
    page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("cercle-shell-")));
  const [complete] = await shells();
  front.deployed = true;
  front.missing = /next-.*\.woff2$/;
  const states = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const found = new Promise<ServiceWorker | null>((resolve) =>
      registration.addEventListener("updatefound", () => resolve(registration.installing), { once: true }),
    );
    await registration.update();
    const worker = await found;
    while (worker && worker.state === "installing") await new Promise((resolve) => setTimeout(resolve, 50));
    return worker?.state;
  });
  expect(states).toBe("redundant");
  expect(await shells()).toEqual([complete]);
});

test("without the service worker, a page whose files are gone is reloaded once", async ({ page, front }) => {
  await page.goto(`${front.url}/authenticate/login`);
  await hydrated(page);
  front.deployed = true;
  await page.getByRole("link", { name: text("fr", "login.create") }).click();
  await expect(page.getByRole("heading", { name: text("fr", "register.title") })).toBeVisible();
  await expect(page.locator(script)).toHaveAttribute("src", /next-/);
});

test("while the server is away, gone or stalled the cached card is shown; the page asks again and comes back by itself", async ({
  page,
  front,
}) => {
  await joinAs(page, { firstname: "Camille" }, front.url);
  await settle(page, `${front.url}/account`);
  const shown = page.getByRole("heading", { name: text("fr", "offline.card") });
  const retry = page.getByRole("button", { name: text("fr", "offline.retry") });
  const asked = () => page.waitForRequest((request) => request.method() === "HEAD", { timeout: 20_000 });
  for (const state of ["away", "gone", "stalled"] as const)
    await test.step(state, async () => {
      front.state = state;
      await page.goto(`${front.url}/account`);
      await expect(shown).toBeVisible();
      // How long the service worker waited for the server, whatever else this machine was busy with.
      const waitedMs = await page.evaluate(() => performance.getEntriesByType("navigation")[0]?.toJSON().responseStart);
      expect(waitedMs).toBeLessThan(30_000);
      await asked();
      await asked();
      const reloaded = page.waitForEvent("domcontentloaded");
      await retry.click();
      await reloaded;
      await expect(shown).toBeVisible();
      await expect(retry).toBeEnabled();
      front.state = "up";
      await expect(page.getByRole("heading", { name: text("fr", "account.hello", { name: "Camille" }) })).toBeVisible();
    });
});

test("looked at again, the offline page asks at once, and it stays while a code is on the screen", async ({
  page,
  front,
}) => {
  const subscribe = "/account/loyalty/subscribe";
  await page.clock.install();
  await joinAs(page, { firstname: "Camille" }, front.url);
  await settle(page, `${front.url}${subscribe}`);
  front.state = "gone";
  await page.goto(`${front.url}${subscribe}`);
  await page.getByRole("link", { name: text("fr", "member.enlarge") }).click();
  const code = page.getByRole("dialog", { name: "Camille Laurent" });
  await expect(code).toBeVisible();
  front.state = "up";
  const lookAgain = () => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const answered = page.waitForResponse((response) => response.request().method() === "HEAD");
  await lookAgain();
  await answered;
  await expect(code).toBeVisible();
  await page.keyboard.press("Escape");
  await lookAgain();
  await expect(page.getByRole("heading", { level: 1, name: text("fr", "menu.loyalty") })).toBeVisible();
});
