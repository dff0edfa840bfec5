import { test as base, expect, hydrated, text } from "./browser.ts";
import { type Front, openFront } from "./front.ts";
import { joinAs } from "./member.ts";
import { settle } from "./phone.ts";

const test = base.extend<{ front: Front }>({
  front: async ({ baseURL }, use) => {
    const front = await openFront(baseURL ?? "");
    await use(front);
    front.close();
  },
});

// Files that a deploy removed, a server that is down, and no network at all.
test.use({ tolerated: /status of 404 .*\/assets\/|status of 503 |net::ERR_|An unknown error occurred when fetching/ });

/** The script the page on the screen started with. */
const script = "script[type=module][src]";

test("a deploy breaks no open page, and leaves no stale shell behind", async ({ page, front, context }) => {
  await joinAs(page, { firstname: "Camille" }, front.url);
  await settle(page, `${front.url}/account`);
  front.deployed = true;

  // Its file is gone from the server, and was never asked for before.
  await page.getByRole("link", { name: text("fr", "menu.informations") }).click();
  await expect(page.getByRole("heading", { name: text("fr", "informations.title") })).toBeVisible();
  await expect(page.locator(script)).not.toHaveAttribute("src", /next-/);

  const other = await context.newPage();
  await settle(other, `${front.url}/account`);
  await expect(other.locator(script)).toHaveAttribute("src", /next-/);
  const shells = () =>
    other.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("cercle-shell-")));
  await expect.poll(shells).toHaveLength(2);
  // The new worker rules now, and the old page still finds what it needs.
  await page
    .getByRole("link", { name: text("fr", "menu.loyalty") })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: text("fr", "menu.loyalty") })).toBeVisible();

  await context.setOffline(true);
  await other.goto(`${front.url}/account`);
  await expect(other.getByRole("heading", { name: text("fr", "offline.card") })).toBeVisible();
  await expect(other.locator(script)).toHaveAttribute("src", /next-/);
});

test("without the worker, a page whose files are gone is loaded anew, once", async ({ page, front }) => {
  // Somebody who saves data is brought no page early.
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  await page.goto(`${front.url}/authenticate/login`);
  await hydrated(page);
  front.deployed = true;
  await page.getByRole("link", { name: text("fr", "login.create") }).click();
  await expect(page.getByRole("heading", { name: text("fr", "register.title") })).toBeVisible();
  await expect(page.locator(script)).toHaveAttribute("src", /next-/);
});

for (const state of ["stalled", "away"] as const) {
  test(`a server that is ${state} does not keep the card from the till`, async ({ page, front }) => {
    await joinAs(page, { firstname: "Camille" }, front.url);
    await settle(page, `${front.url}/account`);
    front.state = state;
    const startedAt = Date.now();
    await page.goto(`${front.url}/account`);
    await expect(page.getByRole("heading", { name: text("fr", "offline.card") })).toBeVisible();
    expect(Date.now() - startedAt).toBeLessThan(8_000);
    front.state = "up";
    await page.getByRole("button", { name: text("fr", "offline.retry") }).click();
    await expect(page.getByRole("heading", { name: text("fr", "account.hello", { name: "Camille" }) })).toBeVisible();
  });
}
