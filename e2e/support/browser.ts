import { readFileSync } from "node:fs";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { isFault } from "./console-faults.ts";
import { takeScreenshots } from "./screenshot.ts";

const axeSource = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

export type Locale = "fr" | "en" | "de";
export const locales: Locale[] = ["fr", "en", "de"];

const catalogues = Object.fromEntries(
  locales.map((locale) => [locale, JSON.parse(readFileSync(`messages/${locale}.json`, "utf8"))]),
) as Record<Locale, Record<string, string>>;

const brand = JSON.parse(readFileSync("brand/brand.json", "utf8"));

/** What every text may name: the brand, and its club in the forms of the language, also with a capital letter. */
function brandWords(locale: Locale): Record<string, string> {
  const { Plain, ...forms }: Record<string, string> = brand.ClubName[locale];
  const named: [string, string][] = Object.entries({ "": Plain ?? "", ...forms }).map(([form, words]) => [
    `club${form}`,
    words,
  ]);
  const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
  const capitals = named.map(([name, words]) => [capital(name), capital(words)]);
  const currencies = locale === "de" ? "Euro" : "euros";
  const currency = locale === "de" ? "Euro" : "euro";
  const words = Object.fromEntries([...named, ...capitals]);
  return { brand: brand.Name, wordmark: brand.Name.toUpperCase(), currency, currencies, ...words };
}

/** A text of the catalogue, as it stands on the page. Values are filled in plainly. */
export function text(locale: Locale, id: string, values: Record<string, string | number> = {}): string {
  const found = catalogues[locale][id];
  if (found === undefined) throw new Error(`No text ${id}`);
  const all = Object.entries({ ...brandWords(locale), ...values });
  return all.reduce((written, [name, value]) => written.replaceAll(`{${name}}`, String(value)), found);
}

export const at = (locale: Locale, path: string) => (locale === "fr" ? path : `/${locale}${path === "/" ? "" : path}`);

/** Whether the customer of this page, or of all pages of this window, has data saving on: then no other page is prefetched. */
export function setDataSaving(browsing: BrowserContext | Page, saveData: boolean): Promise<unknown> {
  return browsing.addInitScript(
    (value) => Object.defineProperty(navigator, "connection", { configurable: true, value }),
    { saveData },
  );
}

/** A connection kept alive may be closed by the server just when Playwright uses it again: such a reading is made again. */
function readAgainWhenClosed({ request }: BrowserContext): void {
  const get = request.get.bind(request);
  request.get = (url, options) => get(url, { maxRetries: 2, ...options });
}

/**
 * Fails a test on any console error and any uncaught exception, in any of its tabs and windows, with a picture of each.
 * Data saving is on in all of them: prefetching the pages that a test never opens takes a tenth of the processor's time.
 */
export const test = base.extend<{ prepared: undefined; quiet: undefined; tolerated: RegExp | undefined }>({
  // A worker's own fixture would cost a new worker and browser wherever a test without it, of processes or files, follows.
  prepared: [
    async ({ browser }, use) => {
      const prepare = (context: BrowserContext) => {
        void setDataSaving(context, true);
        readAgainWhenClosed(context);
      };
      browser.on("context", prepare);
      await use(undefined);
      browser.off("context", prepare);
    },
    { auto: true },
  ],
  /** Errors that a test causes on purpose: matched against the console's line and the path it is about, or the exception. */
  tolerated: [undefined, { option: true }],
  quiet: [
    async ({ browser, context, tolerated }, use, info) => {
      const faults: string[] = [];
      context.on("console", (message) => {
        const line = { text: message.text(), url: message.location().url };
        if (message.type() === "error" && isFault(line, tolerated)) faults.push(`${line.text} ${line.url}`);
      });
      context.on("weberror", (error) => {
        const { message } = error.error();
        if (!tolerated?.test(message)) faults.push(message);
      });
      await use(undefined);
      // Playwright's own "only-on-failure" takes a picture at the end of each test, and throws most of them away.
      if (faults.length > 0 || info.status !== info.expectedStatus)
        for (const [place, page] of browser
          .contexts()
          .flatMap((open) => open.pages())
          .entries())
          await page.screenshot({ path: info.outputPath(`failed-${place + 1}.png`), timeout: 5_000 }).catch(() => {});
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/** Waits until React has hydrated these elements; all of the page's, with the parts that are loaded when idle. */
export async function hydrated(page: Page, elements = "body, a, button, form, footer"): Promise<void> {
  await page.waitForFunction(
    (selector) =>
      [...document.querySelectorAll(selector)].every((element) =>
        Object.keys(element).some((key) => key.startsWith("__react")),
      ),
    elements,
    { polling: 50 },
  );
}

/** No id of the catalogue stands where its words should. */
export async function expectWords(page: Page): Promise<void> {
  const words = await page.locator("body").innerText();
  expect(Object.keys(catalogues.fr).filter((id) => id.includes(".") && words.includes(id))).toEqual([]);
}

/** What axe reports, as far as a test reads it. */
interface AxeResults {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/** Rules whose verdict can depend on the words; the markup, the roles and the colours are the same in every language. */
const rulesAboutWords = [
  ...["aria-command-name", "aria-dialog-name", "aria-input-field-name", "aria-meter-name", "aria-progressbar-name"],
  ...["button-name", "link-name", "input-button-name", "summary-name", "label", "label-title-only", "select-name"],
  ...["image-alt", "role-img-alt", "svg-img-alt", "document-title", "empty-heading", "html-has-lang"],
  ...["html-lang-valid", "valid-lang", "scrollable-region-focusable", "target-size"],
];
const allRules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * WCAG 2.2 AA, by axe, on what is on the screen now: every rule in French, in the other languages those about words,
 * unless the state is met in that language alone.
 */
export async function expectAccessible(page: Page, state = "", { everyRule = false } = {}): Promise<void> {
  await expectWords(page);
  // A colour on its way from one to another is read by no one.
  await page.evaluate(() => {
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
  });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(
    async ({ allRules, rulesAboutWords, everyRule }) => {
      const every = everyRule || document.documentElement.lang === "fr";
      const runOnly = every ? { type: "tag", values: allRules } : { type: "rule", values: rulesAboutWords };
      // axe put itself on the window a few lines above.
      const { axe } = window as unknown as { axe: { run(page: Document, options: object): Promise<AxeResults> } };
      const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
      return violations.map((found) => ({
        id: found.id,
        nodes: found.nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`),
      }));
    },
    { allRules, rulesAboutWords, everyRule },
  );
  expect.soft(violations, state).toEqual([]);
  await takeScreenshots(page, state);
}

export { expect };
