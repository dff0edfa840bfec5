import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readJson, refuse } from "#brand/brand-file.server.ts";
import { checksumFile, checksumOf, derivedImages, fileHash } from "#brand/brand-files.server.ts";
import { readTheme } from "#brand/theme.server.ts";

/**
 * Draws the images that are made from `icon.svg` and `logo.svg`, with Chromium, and stores the checksum of their sources. One
 * that is not as it was drawn was made by hand, and is kept. Returns the files that were kept.
 */
export async function drawImages(directory: string): Promise<string[]> {
  const theme = readTheme(directory, refuse);
  const drawing = (file: string) =>
    `data:image/svg+xml;base64,${readFileSync(join(directory, file)).toString("base64")}`;
  const [icon, logo] = [drawing("icon.svg"), drawing("logo.svg")];
  const { chromium } = await import("@playwright/test");
  const { findChromium } = await import(pathToFileURL(resolve("scripts/chromium.mjs")).href);
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox"] });
  const derived = (file: string) => join(directory, "derived", file);
  const stored = join(directory, checksumFile);
  const { Drawn: before = {} } = existsSync(stored) ? (readJson(stored) as { Drawn?: Record<string, string> }) : {};
  const isByHand = ({ file }: { file: string }) =>
    existsSync(derived(file)) && fileHash(derived(file)) !== before[file];
  const kept = derivedImages.filter(isByHand).map(({ file }) => file);
  const drawn: Record<string, string> = {};
  mkdirSync(join(directory, "derived"), { recursive: true });
  try {
    const page = await browser.newPage();
    for (const { file, width, height } of derivedImages) {
      if (kept.includes(file)) continue;
      await page.setViewportSize({ width, height });
      const wide = /^(social|email)/.test(file);
      const [image, share] = wide
        ? [logo, file.startsWith("email") ? "100%;height:100vh;object-fit:contain" : "60%"]
        : [icon, file.includes("maskable") ? "85%" : "100%"];
      // A mask may cut away a fifth of the icon: what is beneath it has the icon's own colour, drawn much larger.
      const ground = file.includes("maskable")
        ? `<img src="${icon}" style="position:fixed;width:1000%;left:0;top:0">`
        : "";
      const colour = wide ? theme.Colours.Paper : "transparent";
      await page.setContent(
        `<body style="margin:0;height:100vh;display:grid;place-items:center;background:${colour}">${ground}<img src="${image}" style="position:relative;width:${share}">`,
      );
      await page.evaluate(() => Promise.all(Array.from(document.images, (one) => one.decode())));
      const type = file.endsWith(".jpg") ? ({ type: "jpeg", quality: 82 } as const) : ({ type: "png" } as const);
      writeFileSync(derived(file), await page.screenshot({ ...type, omitBackground: true }));
      drawn[file] = fileHash(derived(file));
    }
  } finally {
    await browser.close();
  }
  writeFileSync(stored, `${JSON.stringify({ Sources: checksumOf(directory), Drawn: drawn }, null, 2)}\n`);
  return kept;
}
