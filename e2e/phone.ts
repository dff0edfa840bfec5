import type { Page } from "@playwright/test";
import { expect, hydrated } from "./browser.ts";

/** The names under which this browser keeps cards. */
export const kept = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("cercle-card-")));

/** Opens an account page and waits until the phone is ready for a till without a network. */
export async function settle(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
  await expect.poll(() => kept(page)).toHaveLength(1);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
  });
}
