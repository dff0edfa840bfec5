/** A window of a browser, as the walk uses it: `playwright-driver.ts` drives Chromium and Firefox, `webdriver.ts` WebKit. */
export interface Driver {
  goto(url: string): Promise<void>;
  /** Runs a function in the page; it sees nothing of this file. */
  run<Result, Arguments extends unknown[]>(
    work: (...given: Arguments) => Result,
    ...given: Arguments
  ): Promise<Awaited<Result>>;
  /** Clicks an element, see `findInPage`. */
  click(target: string): Promise<void>;
  /** Replaces what a field holds, by keys. */
  type(target: string, text: string): Promise<void>;
  /** Keys to the element that has the focus, as fast as the driver sends them, the way a scanner does. */
  press(...keys: (string | Key)[]): Promise<void>;
  /** Presses a point of the window, as on what surrounds a dialog. */
  clickAt(x: number, y: number): Promise<void>;
  hasPopup(): Promise<boolean>;
  /** What `work` does happens in the window that the page has opened. */
  inPopup(work: () => Promise<void>): Promise<void>;
  setCookies(cookies: Cookie[]): Promise<void>;
  deleteCookie(name: string): Promise<void>;
  screenshot(): Promise<Buffer>;
  /** Uncaught errors and console errors since the last call. */
  takeFaults(): Promise<string[]>;
  close(): Promise<void>;
}

interface Cookie {
  name: string;
  value: string;
}

export interface WindowOptions {
  width: number;
  height: number;
  pixelRatio: number;
  /** What the person has set in the system, by the engine's own settings. */
  prefers?: ("contrast" | "stillness" | "dark")[];
  /** A private window that stores nothing, with service workers, passkeys and cameras switched off where the engine can. */
  refuses?: boolean;
}

/** By WebDriver's own code points, and Playwright's names. */
export const keyCodes = { Enter: "\uE007", Escape: "\uE00C", Delete: "\uE017", Backspace: "\uE003" };
export type Key = { key: keyof typeof keyCodes };

/**
 * An element that is shown, by CSS selector or, with `text=`, by what it says: inside an open dialog first, and of those that
 * say it the control with the fewest words. Runs in the page.
 */
export function findInPage(target: string): Element | null {
  const isShown = (element: Element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
  if (!target.startsWith("text=")) return [...document.querySelectorAll(target)].find(isShown) ?? null;
  const words = target.slice(5);
  const wordsOf = (element: Element) => (element.textContent ?? "").replace(/\s+/g, " ").trim();
  for (const scope of [[...document.querySelectorAll("dialog[open]")].at(-1), document]) {
    const controls = [...(scope?.querySelectorAll("a, button, label, summary") ?? [])]
      .filter((element) => isShown(element) && wordsOf(element).includes(words))
      .sort((one, other) => wordsOf(one).length - wordsOf(other).length);
    if (controls[0]) return controls[0];
  }
  return null;
}

/**
 * Repeats until there is a result; an error while a page is replaced by the next one is no result. WebKit's driver may take
 * half a minute to say so: the last look begins when the time is over.
 */
export async function until<Result>(what: string, look: () => Promise<Result>, seconds = 20) {
  const end = Date.now() + seconds * 1_000;
  let last: unknown;
  for (;;) {
    const began = Date.now();
    try {
      const found = await look();
      if (found) return found as NonNullable<Result>;
    } catch (error) {
      last = error;
    }
    if (began > end) throw new Error(`Waited ${seconds} seconds for ${what}`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
