import { type Browser, type BrowserContext, chromium } from "@playwright/test";
// Firefox ESR 153 does not know a command that Playwright 1.65 sends for every window.
import { firefox } from "playwright-core-for-firefox";
import { type Driver, findInPage, type Key, until, type WindowOptions } from "./driver.ts";

/** Playwright's own style for screenshots is against the page's policy, and Firefox reports it as an error. */
const screenshotStyle = /sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT/;
/** Without a network, and in Firefox also when a page is left while its files are on their way. */
const unloaded =
  /Failed to load resource|NetworkError|ERR_|Failed to fetch|error loading dynamically imported module|A ServiceWorker intercepted/;

const launchChromium = () =>
  chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });

/** The settings of Firefox that stand for those of the system. */
const firefoxSettings = {
  contrast: { "browser.display.document_color_use": 0, "ui.useAccessibilityTheme": 1 },
  stillness: { "ui.prefersReducedMotion": 1 },
  dark: { "layout.css.prefers-color-scheme.content-override": 0 },
};
const firefoxRefusals = {
  "browser.privatebrowsing.autostart": true,
  ...{ "dom.serviceWorkers.enabled": false, "dom.storage.enabled": false },
  ...{ "media.navigator.enabled": false, "media.peerconnection.enabled": false, "security.webauth.webauthn": false },
};

async function launchFirefox({ prefers = [], refuses }: WindowOptions): Promise<Browser> {
  const browser = await firefox.launch({
    channel: "moz-firefox",
    executablePath: process.env["FIREFOX"] ?? "/usr/bin/firefox-esr",
    firefoxUserPrefs: {
      // Scrollbars as on a phone: they take no width from the page.
      "ui.useOverlayScrollbars": 1,
      ...Object.assign({}, ...prefers.map((name) => firefoxSettings[name])),
      ...(refuses && firefoxRefusals),
    },
  });
  // Both versions have what the driver calls.
  return browser as unknown as Browser;
}

/** Chromium, or Firefox as the system has it, over WebDriver BiDi: started once for all windows with the same settings. */
export function createPlaywrightEngine(engine: "chromium" | "firefox") {
  const browsers = new Map<string, Promise<Browser>>();
  return {
    async open(options: WindowOptions): Promise<Driver> {
      const key = engine === "firefox" ? JSON.stringify([options.prefers, options.refuses]) : "";
      const browser = browsers.get(key) ?? (engine === "chromium" ? launchChromium() : launchFirefox(options));
      browsers.set(key, browser);
      return drive(await openContext(await browser, engine, options));
    },
    async close() {
      for (const browser of browsers.values()) await (await browser).close();
    },
  };
}

function openContext(browser: Browser, engine: string, { prefers = [], ...options }: WindowOptions) {
  return browser.newContext({
    viewport: { width: options.width, height: options.height },
    deviceScaleFactor: options.pixelRatio,
    ...{ locale: "fr-FR", timezoneId: "Europe/Paris" },
    ...(engine === "chromium" && {
      contrast: prefers.includes("contrast") ? "more" : null,
      reducedMotion: prefers.includes("stillness") ? "reduce" : null,
      colorScheme: prefers.includes("dark") ? "dark" : null,
      serviceWorkers: options.refuses ? "block" : "allow",
    }),
  });
}

async function drive(context: BrowserContext): Promise<Driver> {
  const first = await context.newPage();
  let page = first;
  const faults: string[] = [];
  const note = (fault: string) => {
    if (!screenshotStyle.test(fault) && !unloaded.test(fault)) faults.push(fault);
  };
  context.on("console", (message) => message.type() === "error" && note(message.text()));
  context.on("weberror", (error) => note(error.error().message));

  const find = (target: string) =>
    until(target, async () => (await page.evaluateHandle(findInPage, target)).asElement());
  const pressKey = (key: string | Key) =>
    typeof key === "string" ? page.keyboard.type(key) : page.keyboard.press(key.key);
  const popup = () => context.pages().find((one) => one !== first);
  return {
    async goto(url) {
      await page.goto(url).catch((error: Error) => {
        // Firefox gives up a navigation that begins while the page before it is still loading, and says so in one of two ways.
        if (!/NS_BINDING_ABORTED|Navigation failed/.test(error.message)) throw error;
        return page.goto(url);
      });
    },
    // The page gets the function's text, with what it is given.
    run: (work, ...given) => page.evaluate(`(${work})(...${JSON.stringify(given)})`),
    click: async (target) => (await find(target)).click(),
    async type(target, text) {
      const field = await find(target);
      await field.click();
      // Neither fill() nor insertText(): over BiDi the one appends to what an email field holds, and React does not see the other.
      await field.evaluate((element) => (element as HTMLInputElement).select());
      await page.keyboard.type(text);
    },
    async press(...keys) {
      for (const key of keys) await pressKey(key);
    },
    clickAt: (x, y) => page.mouse.click(x, y),
    hasPopup: async () => popup() !== undefined,
    async inPopup(work) {
      page = await until("the popup", async () => popup());
      await work();
      page = first;
    },
    setCookies: (cookies) =>
      context.addCookies(cookies.map((cookie) => ({ ...cookie, domain: "localhost", path: "/" }))),
    deleteCookie: (name) => context.clearCookies({ name }),
    screenshot: () => page.screenshot({ caret: "initial" }),
    takeFaults: async () => faults.splice(0),
    close: () => context.close(),
  };
}
