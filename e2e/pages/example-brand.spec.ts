import { expect, expectAccessible, hydrated, test } from "../support/browser.ts";
import { expectReflow } from "../support/measure.ts";
import { createProcesses, portOf } from "../support/processes.ts";

const { folder, start, clear } = createProcesses();
test.afterAll(clear);
// A prefix of a language that the brand does not have.
test.use({ tolerated: /404/ });

const paths = ["/", "/loyalty", "/help", "/authenticate/login", "/authenticate/register", "/legal/privacy", "/en"];

test("the example of a second brand is accessible, fits a phone and a desk, and names nothing of the first", async ({
  page,
}) => {
  const site = `http://localhost:${portOf(45)}`;
  const { child, ended } = await start(
    { DATA_DIR: folder(), PORT: String(portOf(45)), BRAND_DIR: "examples/brand-nord" },
    [process.execPath, "dist/server/start.js"],
    "is open",
  );
  for (const path of paths) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(site + path);
    // The links of a legal page are not of React.
    await hydrated(page, "body, button, footer");
    await expect(page.locator("html"), path).toHaveAttribute("lang", path === "/en" ? "en" : "de");
    await expectAccessible(page, `${path} at 390 px`, { everyRule: true });
    await expectReflow(page, path);
    await page.setViewportSize({ width: 1440, height: 844 });
    await expectAccessible(page, `${path} at 1440 px`, { everyRule: true });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, path).toBeLessThanOrEqual(0);
    expect((await page.content()).match(/cercle(?!\.sandbox)/gi) ?? [], path).toEqual([]);
  }
  // The logo has colours of its own there, which it takes only when the picture itself is dark.
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(site);
  await expect(page.locator("header a img")).toHaveCSS("color-scheme", "dark");
  expect((await page.goto(`${site}/fr`))?.status()).toBe(404);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
