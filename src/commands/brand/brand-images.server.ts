import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { refuse } from "#brand/brand-file.server.ts";
import { checksumFile, checksumOf, derivedImages } from "#brand/brand-files.server.ts";
import { readTheme } from "#brand/theme.server.ts";

/** Draws the images that are made from `icon.svg` and `logo.svg`, with Chromium, and stores the checksum of their sources. */
export async function drawImages(directory: string): Promise<void> {
  const theme = readTheme(directory, refuse);
  const drawing = (file: string) =>
    `data:image/svg+xml;base64,${readFileSync(join(directory, file)).toString("base64")}`;
  const [icon, logo] = [drawing("icon.svg"), drawing("logo.svg")];
  const { chromium } = await import("@playwright/test");
  const { findChromium } = await import(pathToFileURL(resolve("scripts/chromium.mjs")).href);
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox"] });
  mkdirSync(join(directory, "derived"), { recursive: true });
  try {
    const page = await browser.newPage();
    for (const { file, width, height } of derivedImages) {
      await page.setViewportSize({ width, height });
      const [image, share] = file.startsWith("social")
        ? [logo, "60%"]
        : [icon, file.includes("maskable") ? "85%" : "100%"];
      // A mask may cut away a fifth of the icon: what is beneath it has the icon's own colour, drawn much larger.
      const ground = file.includes("maskable")
        ? `<img src="${icon}" style="position:fixed;width:1000%;left:0;top:0">`
        : "";
      const colour = file.startsWith("social") ? theme.Colours.Paper : "transparent";
      await page.setContent(
        `<body style="margin:0;height:100vh;display:grid;place-items:center;background:${colour}">${ground}<img src="${image}" style="position:relative;width:${share}">`,
      );
      await page.evaluate(() => Promise.all(Array.from(document.images, (one) => one.decode())));
      const type = file.endsWith(".jpg") ? ({ type: "jpeg", quality: 82 } as const) : ({ type: "png" } as const);
      writeFileSync(join(directory, "derived", file), await page.screenshot({ ...type, omitBackground: true }));
    }
  } finally {
    await browser.close();
  }
  writeFileSync(join(directory, checksumFile), `${JSON.stringify({ Sources: checksumOf(directory) }, null, 2)}\n`);
}
