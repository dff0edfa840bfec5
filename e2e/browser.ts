import { readFileSync } from "node:fs";
import { test as base, expect, type Page } from "@playwright/test";

const axeSource = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

export type Locale = "fr" | "en" | "de";
export const locales: Locale[] = ["fr", "en", "de"];

const catalogues = Object.fromEntries(
  locales.map((locale) => [locale, JSON.parse(readFileSync(`messages/${locale}.json`, "utf8"))]),
) as Record<Locale, Record<string, string>>;

/** A text of the catalogue, as it stands on the page. Values are filled in plainly. */
export function text(locale: Locale, id: string, values: Record<string, string | number> = {}): string {
  const found = catalogues[locale][id];
  if (found === undefined) throw new Error(`No text ${id}`);
  return Object.entries(values).reduce((all, [name, value]) => all.replaceAll(`{${name}}`, String(value)), found);
}

export const at = (locale: Locale, path: string) => (locale === "fr" ? path : `/${locale}${path === "/" ? "" : path}`);

/** Chromium reports every refused request, and every one that a test cuts off, as a console error; that line alone is no fault of ours. */
const exempt =
  /^An unknown error occurred when fetching the script\.$|^Failed to load resource: (the server responded with a status of (4\d\d|503)|net::ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|FAILED)$)/;

/** Fails a test on any console error and any uncaught exception. */
export const test = base.extend<{ quiet: undefined; tolerated: RegExp }>({
  /** What a test brings about on purpose, by the console's own words. */
  tolerated: [/^$/, { option: true }],
  quiet: [
    async ({ page, tolerated }, use) => {
      const faults: string[] = [];
      page.on("console", (message) => {
        const expected = exempt.test(message.text()) || tolerated.test(message.text());
        if (message.type() === "error" && !expected) faults.push(message.text());
      });
      page.on("pageerror", (error) => faults.push(error.message));
      await use(undefined);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/** Waits until React has taken over the page, as a person on a slow phone would not. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith("__react")));
}

/** No id of the catalogue stands where its words should. */
async function expectWords(page: Page): Promise<void> {
  const words = await page.locator("body").innerText();
  expect(Object.keys(catalogues.fr).filter((id) => id.includes(".") && words.includes(id))).toEqual([]);
}

/** What axe reports, as far as a test reads it. */
interface AxeResults {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** WCAG 2.2 AA, by axe, on what is on the screen now. */
export async function expectAccessible(page: Page, state = ""): Promise<void> {
  await expectWords(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    // Colours are the same in every language, and the longest of all to judge: French speaks for them.
    const rules = { "color-contrast": { enabled: document.documentElement.lang === "fr" } };
    // axe put itself on the window a few lines above.
    const { axe } = window as unknown as { axe: { run(page: Document, options: object): Promise<AxeResults> } };
    const { violations } = await axe.run(document, { runOnly: tags, rules, resultTypes: ["violations"] });
    return violations.map((found) => ({
      id: found.id,
      nodes: found.nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`),
    }));
  });
  expect.soft(violations, state).toEqual([]);
}

export { expect };
