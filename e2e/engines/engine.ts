import { writeFileSync } from "node:fs";
import { test as base, expect } from "@playwright/test";
import { layCable } from "./cable.ts";
import type { Driver, WindowOptions } from "./driver.ts";
import { createPlaywrightEngine } from "./playwright-driver.ts";
import { openWebKit } from "./webdriver.ts";

export const engineNames = ["chromium", "firefox", "webkit"] as const;
export interface EngineOptions {
  engine: (typeof engineNames)[number];
}

type Open = (options: WindowOptions) => Promise<Driver>;
interface Fixtures {
  /** Opens a window in which no one is signed in; it is closed after the test. */
  openWindow: Open;
  cable: Awaited<ReturnType<typeof layCable>>;
}

const port = Number(process.env["E2E_PORT"]);
export const site = `http://localhost:${port}`;

export const test = base.extend<Fixtures, EngineOptions & { open: Open }>({
  engine: ["chromium", { option: true, scope: "worker" }],
  open: [
    async ({ engine }, use) => {
      if (engine === "webkit") return use(openWebKit);
      const browser = createPlaywrightEngine(engine);
      await use(browser.open);
      await browser.close();
    },
    { scope: "worker" },
  ],
  // The cable is there before the first window.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
  cable: async ({}, use) => {
    const cable = await layCable(port, port + 1);
    await use(cable);
    cable.pull();
  },
  openWindow: async ({ open, cable: _ }, use, info) => {
    const windows: Driver[] = [];
    await use(async (options) => {
      const window = await open(options);
      windows.push(window);
      return window;
    });
    for (const window of windows) {
      if (info.status !== info.expectedStatus) writeFileSync(info.outputPath("window.png"), await window.screenshot());
      await window.close();
    }
  },
});
export { expect };
