import { writeFileSync } from "node:fs";
import { test as base, expect } from "@playwright/test";
import { layCable } from "./cable.ts";
import type { Driver, WindowSize } from "./driver.ts";
import { openPlaywright } from "./playwright-driver.ts";
import { openWebDriver } from "./webdriver.ts";

export const engineNames = ["chromium", "firefox", "webkit", "wpe"] as const;
export interface EngineOptions {
  engine: (typeof engineNames)[number];
}

interface Fixtures {
  /** Opens a window in which no one is signed in; it is closed after the test, and whatever went wrong in it fails the test. */
  openWindow(size: WindowSize): Promise<Driver>;
  cable: Awaited<ReturnType<typeof layCable>>;
}

const port = Number(process.env["E2E_PORT"]);
export const site = `http://localhost:${port}`;

export const test = base.extend<Fixtures & EngineOptions>({
  engine: ["chromium", { option: true }],
  // The cable is there before the first window.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
  cable: async ({}, use) => {
    const cable = await layCable(port, port + 1);
    await use(cable);
    cable.pull();
  },
  openWindow: async ({ engine, cable: _ }, use, info) => {
    const windows: Driver[] = [];
    await use(async (size) => {
      const open = engine === "chromium" || engine === "firefox" ? openPlaywright : openWebDriver;
      const window = await open(engine as never, size);
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
