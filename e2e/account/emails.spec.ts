import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, locales, test } from "../support/browser.ts";
import { withoutNetwork } from "../support/console-faults.ts";
import { scan } from "../support/scanner.ts";

const frame = (html: string) => `<iframe srcdoc="${html.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>`;

// Pictures are kept back, as many mail programs do.
test.use({ tolerated: withoutNetwork });

test("every email fits a phone and a desk; a voucher's bars are scanned without pictures, light and dark", async ({
  page,
}, { outputDir }) => {
  execFileSync(process.execPath, ["dist/server/emails.js", outputDir]);
  await page.route(/^https?:/, (route) => route.abort());
  for (const locale of locales) {
    const names = readdirSync(join(outputDir, locale)).map((file) => file.replace(".html", ""));
    const htmlOf = (name: string) => readFileSync(join(outputDir, locale, `${name}.html`), "utf8");
    for (const width of locale === "fr" ? [390, 600] : [390]) {
      await page.setViewportSize({ width: width * 5, height: 1_000 });
      await page.setContent(
        `<style>body { margin: 0; display: grid; grid-template-columns: repeat(5, ${width}px) }
           iframe { width: ${width}px; height: ${width === 390 ? 860 : 800}px; border: 0 }</style>
         ${names.map((name) => frame(htmlOf(name))).join("")}`,
      );
      for (const child of page.frames().slice(1)) {
        const over = await child.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(over, `${locale} ${width} ${await child.title()}`).toBeLessThanOrEqual(0);
      }
      // The bars are the same in every language; a desk in light and a phone in dark are all that can differ.
      if (locale === "fr") {
        const colorScheme = width === 390 ? "dark" : "light";
        await page.emulateMedia({ colorScheme });
        const picture = await page.screenshot({ fullPage: true });
        // The emails that carry one: a reward’s, a gift’s, a campaign’s, and those in place of a voucher.
        expect(await scan(picture), colorScheme).toEqual(Array(5).fill("Code128:B7KQ2MXT9RWD"));
      }
    }
  }
  // The smallest phone.
  await page.setViewportSize({ width: 320, height: 900 });
  await page.setContent(readFileSync(join(outputDir, "de", "voucher.html"), "utf8"));
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
