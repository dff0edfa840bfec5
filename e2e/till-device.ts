import type { BrowserContext, Page } from "@playwright/test";
import { at, expect, type Locale } from "./browser.ts";

/** Scans as a keyboard-wedge scanner does: a burst of keys, ended by Enter, wherever the focus is. */
export async function scan(till: Page, code: string, delay = 5): Promise<void> {
  await till.keyboard.type(code, { delay });
  await till.keyboard.press("Enter");
}

/** Makes the context's browser a till of the sandbox's shop, and signs in by the calls of the screen itself. */
export async function openTill(context: BrowserContext, locale: Locale = "fr"): Promise<{ till: Page; pin: string }> {
  const { request } = context;
  const headers = { "sec-fetch-site": "same-origin" };
  const { Code, IdStaff, Pin } = await (await request.get("/sandbox/till.json")).json();
  const paired = await request.post("/api/till/pair", { form: { Code, TillName: "Caisse 2" }, headers });
  expect(paired.status()).toBe(200);
  await request.post("/api/till/sign-in", { form: { IdStaff, Pin }, headers });
  const till = await context.newPage();
  await till.goto(at(locale, "/till"));
  await expect(till.locator(".till-ready")).toBeVisible();
  return { till, pin: Pin };
}
