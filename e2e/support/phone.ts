import type { Page } from "@playwright/test";
import { expect, hydrated, type Locale, text } from "./browser.ts";

/** The names under which this browser keeps cards. */
export const kept = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("cercle-card-")));

/** How many cards are kept, if each was asked for after this moment. */
const keptSince = (page: Page, moment: string) =>
  page.evaluate(async (since) => {
    const names = (await caches.keys()).filter((name) => name.startsWith("cercle-card-"));
    const cards = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).match("/stored-card"))?.json()),
    );
    return cards.every((card) => card?.asOf > since) ? cards.length : 0;
  }, moment);

/** Signs out by the menu above the bottom bar. */
export async function signOutOnPhone(page: Page, locale: Locale = "fr"): Promise<void> {
  const bar = page.locator(".bottom-bar");
  await bar.locator("summary", { hasText: text(locale, "menu.open") }).click();
  await bar.getByRole("button", { name: text(locale, "menu.logout"), exact: true }).click();
}

/** Opens an account page and waits until the phone is ready for a till without a network. */
export async function settle(page: Page, path: string): Promise<void> {
  const opened = new Date().toISOString();
  await page.goto(path);
  await hydrated(page);
  await expect.poll(() => keptSince(page, opened)).toBe(1);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
  });
}
