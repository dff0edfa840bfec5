import { basename, join } from "node:path";
import { type Page, test } from "@playwright/test";

const folder = process.env["SCREENSHOTS"];
const widths = [390, 1440];

/** What may differ between two runs of the same code: barcodes, the caret, what moves. */
const still = `
  img[src^="data:image/svg"] { visibility: hidden !important }
  *, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important }`;

/** For `npm run screenshots`: the state that is on the screen, at each width. In any other run it does nothing. */
export async function takeScreenshots(page: Page, state: string): Promise<void> {
  if (!folder) return;
  const before = page.viewportSize();
  const name = nameOf(state);
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 640 ? 844 : 900 });
    await page.evaluate(async (css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
      await document.fonts.ready;
      for (const image of document.images) image.loading = "eager";
      await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    }, still);
    await page.evaluate(replaceRandomText);
    const path = join(folder, `${name}-${width}.png`);
    await page.screenshot({ path, fullPage: true, animations: "disabled" });
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
      dispatchEvent(new Event("screenshot-taken"));
    });
  }
  if (before) await page.setViewportSize(before);
}

/** Numbers, times and the addresses that tests invent become zeros, as long as they were, until the picture is taken. */
function replaceRandomText(): void {
  const zeros = (text: string) => text.replace(/[0-9a-f]{12}(?=@)|\d/g, (found) => "0".repeat(found.length));
  const restore: (() => void)[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const [text, original] = [node, node.nodeValue ?? ""];
    if (zeros(original) === original) continue;
    text.nodeValue = zeros(original);
    restore.push(() => {
      if (text.nodeValue === zeros(original)) text.nodeValue = original;
    });
  }
  for (const input of document.querySelectorAll<HTMLInputElement>(
    "input:not([type=radio], [type=checkbox], [type=date])",
  )) {
    const original = input.value;
    input.value = zeros(original);
    restore.push(() => {
      input.value = original;
    });
  }
  const undoAll = () => {
    for (const undo of restore) undo();
  };
  addEventListener("screenshot-taken", undoAll, { once: true });
}

const counts = new Map<string, number>();

/** The spec, its test and the state, numbered in the order in which the test meets them. */
function nameOf(state: string): string {
  const { file, title, testId } = test.info();
  const count = (counts.get(testId) ?? 0) + 1;
  counts.set(testId, count);
  const words = `${basename(file, ".spec.ts")} ${title.slice(0, 40)} ${String(count).padStart(2, "0")} ${state}`;
  return words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
