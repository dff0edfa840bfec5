import { type Browser, chromium } from "@playwright/test";
// Firefox ESR 153 does not know a command that Playwright 1.65 sends for every window.
import { firefox } from "playwright-core-for-firefox";
import { type Driver, findInPage, type Key, until, type WindowSize } from "./driver.ts";

/** Playwright's own style for screenshots is against the page's policy, and Firefox reports it as an error. */
const screenshotStyle = /sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT/;
const withoutNetwork =
  /Failed to load resource|NetworkError|ERR_|Failed to fetch|error loading dynamically imported module/;

const launchChromium = () =>
  chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });

async function launchFirefox(): Promise<Browser> {
  const browser = await firefox.launch({
    channel: "moz-firefox",
    executablePath: process.env["FIREFOX"] ?? "/usr/bin/firefox-esr",
    // Scrollbars as on a phone: they take no width from the page.
    firefoxUserPrefs: { "ui.useOverlayScrollbars": 1 },
  });
  // Both versions have what the driver calls.
  return browser as unknown as Browser;
}

/** Chromium, or Firefox as the system has it, over WebDriver BiDi. */
export async function openPlaywright(engine: "chromium" | "firefox", size: WindowSize): Promise<Driver> {
  const browser = await (engine === "chromium" ? launchChromium() : launchFirefox());
  const context = await browser.newContext({
    viewport: { width: size.width, height: size.height },
    deviceScaleFactor: size.pixelRatio,
    ...{ locale: "fr-FR", timezoneId: "Europe/Paris" },
  });
  const page = await context.newPage();
  const faults: string[] = [];
  const note = (fault: string) => {
    if (!screenshotStyle.test(fault) && !withoutNetwork.test(fault)) faults.push(fault);
  };
  context.on("console", (message) => message.type() === "error" && note(message.text()));
  context.on("weberror", (error) => note(error.error().message));

  const find = (target: string) =>
    until(target, async () => (await page.evaluateHandle(findInPage, target)).asElement());
  const pressKey = (key: string | Key) =>
    typeof key === "string" ? page.keyboard.type(key) : page.keyboard.press(key.key);
  return {
    goto: async (url) => void (await page.goto(url)),
    // The page gets the function's text, with what it is given.
    run: (work, ...given) => page.evaluate(`(${work})(...${JSON.stringify(given)})`),
    click: async (target) => (await find(target)).click(),
    async type(target, text) {
      await (await find(target)).click();
      // Not fill(): over BiDi it appends to what an email field holds.
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await page.keyboard.type(text);
    },
    async press(...keys) {
      for (const key of keys) await pressKey(key);
    },
    screenshot: () => page.screenshot({ caret: "initial" }),
    takeFaults: async () => faults.splice(0),
    close: () => browser.close(),
  };
}
