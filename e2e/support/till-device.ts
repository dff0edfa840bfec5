import type { BrowserContext, Page } from "@playwright/test";
import { at, expect, type Locale } from "./browser.ts";

/**
 * Scans as a keyboard-wedge scanner does: a burst of keys, ended by Enter, wherever the focus is. The keys carry the times
 * at which a scanner would have pressed them, so that a busy machine changes nothing.
 */
export async function scan(till: Page, code: string, delay = 5): Promise<void> {
  const keyboard = await till.context().newCDPSession(till);
  const begun = Date.now() / 1_000;
  for (const [place, key] of [...code, "Enter"].entries()) {
    const timestamp = begun + (place * delay) / 1_000;
    const isDigit = /^\d$/.test(key);
    const named = key === "Enter" ? { key, code: key, text: "\r", windowsVirtualKeyCode: 13 } : undefined;
    const typed = named ?? { key, text: key, ...(isDigit && { code: `Digit${key}` }) };
    await keyboard.send("Input.dispatchKeyEvent", { type: "keyDown", timestamp, ...typed });
    const { text: _, ...released } = typed;
    await keyboard.send("Input.dispatchKeyEvent", { type: "keyUp", timestamp, ...released });
  }
  await keyboard.detach();
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

/** Presses the button of this name, or the tile with this title, whose name goes on with its second line. */
export function pressNamed(till: Page, name: string): Promise<void> {
  const tile = till.locator(".till-tiles button").filter({ has: till.getByText(name, { exact: true }) });
  return till.getByRole("button", { name, exact: true }).or(tile).click();
}
