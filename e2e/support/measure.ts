import type { Page } from "@playwright/test";
import { expect } from "./browser.ts";

/** What a finger needs, in px, either way. */
const targetPx = 44;

/** Everything that can be pressed is large enough for a finger; a link inside a sentence is as tall as its line. */
export async function expectTargets(page: Page, state: string): Promise<void> {
  const small = await page.evaluate((least) => {
    const within = document.querySelector("dialog:modal") ?? document.body;
    const pressable = "a[href], button:not(:disabled), summary, input:not([type=hidden])";
    return [...within.querySelectorAll<HTMLElement>(pressable)].flatMap((element) => {
      if (!element.checkVisibility() || element.closest(".skip")) return [];
      const style = getComputedStyle(element);
      const inSentence = style.display === "inline" && element.parentElement?.innerText !== element.innerText;
      if (inSentence) return [];
      // A box is pressed by its label too.
      const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
      if (Math.min(width, height) >= least) return [];
      return [`${Math.round(width)} × ${Math.round(height)}: ${element.outerHTML.slice(0, 120)}`];
    });
  }, targetPx);
  expect.soft(small, `targets: ${state}`).toEqual([]);
}

/** Nothing is wider than the window, and no button or link cuts off its own words. */
async function expectFits(page: Page, state: string): Promise<void> {
  const wide = await page.evaluate(() => {
    const root = document.documentElement;
    const cut = [
      ...document.querySelectorAll<HTMLElement>("a[href], button, summary, .button, h1, h2, h3, label"),
    ].filter(
      (element) =>
        element.checkVisibility() &&
        getComputedStyle(element).display !== "inline" &&
        // A person's own name may be as long as it likes.
        !element.matches(".truncate, :has(.truncate)") &&
        element.scrollWidth > element.clientWidth + 1,
    );
    const beyond = [...document.querySelectorAll<HTMLElement>("body *")].filter(
      (element) =>
        !element.closest(".cloth") &&
        element.checkVisibility() &&
        element.getBoundingClientRect().right > innerWidth + 1,
    );
    const over = root.scrollWidth > innerWidth ? [root, ...beyond.slice(-3)] : [];
    return [...cut, ...over].map((element) => element.outerHTML.slice(0, 140));
  });
  expect.soft(wide, `fits: ${state}`).toEqual([]);
}

/** The widths and the spacing a reader may ask for: a small phone, which is also 1280 px at 400 %, and WCAG 1.4.12's text spacing. */
export async function expectReflow(page: Page, state: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 390, height: 844 };
  await page.setViewportSize({ width: 320, height: 640 });
  await expectFits(page, `${state}, 320 px`);
  // The page's own policy lets no foreign style element in; a reader's style sheet does not ask it.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }`);
    document.adoptedStyleSheets = [sheet];
  });
  await expectFits(page, `${state}, 320 px, spaced`);
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });
  await page.setViewportSize(before);
}

/** Text of twice the size, as set in a phone's or a browser's settings (WCAG 1.4.4): nothing scrolls sideways. */
export async function expectZoom(page: Page, state: string): Promise<void> {
  const wide = await page.evaluate(() => {
    const root = document.documentElement;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("html { font-size: 200% !important }");
    document.adoptedStyleSheets = [sheet];
    const beyond = [...document.querySelectorAll<HTMLElement>("body *")].filter(
      (element) =>
        !element.closest(".cloth") &&
        element.checkVisibility() &&
        element.getBoundingClientRect().right > innerWidth + 1,
    );
    const found =
      root.scrollWidth > innerWidth ? beyond.slice(-3).map((element) => element.outerHTML.slice(0, 140)) : [];
    document.adoptedStyleSheets = [];
    return found;
  });
  expect.soft(wide, `text of twice the size: ${state}`).toEqual([]);
}
