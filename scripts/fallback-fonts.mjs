// Writes src/ui/fallback-fonts.css: the machine's fonts that are shown until ours have loaded. Each has one size for all
// its characters, chosen so that our texts are as wide as in our fonts.
// Run again when a font changes. The fallbacks are measured in the machine's browser: Arial and Times New Roman, or the
// Liberation fonts, which have the same measures.
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "@playwright/test";

const bodoni = "node_modules/@fontsource/bodoni-moda/files/bodoni-moda-latin-400";
const serif = ["Times New Roman", "TimesNewRomanPSMT", "Liberation Serif"];
const serifItalic = ["Times New Roman Italic", "TimesNewRomanPS-ItalicMT", "Liberation Serif Italic"];
const sans = ["Arial", "ArialMT", "Liberation Sans"];
const fonts = [
  {
    family: "Jost",
    file: "node_modules/@fontsource-variable/jost/files/jost-latin-wght-normal.woff2",
    locals: sans,
  },
  { family: "Bodoni Moda", file: `${bodoni}-normal.woff2`, locals: serif },
  { family: "Bodoni Moda", italic: true, file: `${bodoni}-italic.woff2`, locals: serifItalic },
];

/** Our texts, by which the widths are compared. */
const lines = ["fr", "en", "de"].flatMap((locale) =>
  Object.entries(JSON.parse(readFileSync(`messages/${locale}.json`, "utf8")))
    .filter(([id, text]) => !/^(mail|manifest|sandbox|wallet)/.test(id) && !/[{}]/.test(text))
    .map(([, text]) => text),
);

const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium" });
const page = await browser.newPage();

const fileSource = (file) => `url(data:font/woff2;base64,${readFileSync(file).toString("base64")})`;
const localSource = (names) => names.map((name) => `local("${name}")`).join(", ");

/** The width of all the texts, and the height above and below the baseline, for a font size of 1. */
async function measure(source, texts, { tabular = false } = {}) {
  return page.evaluate(
    async ({ source, texts, tabular }) => {
      const face = await new FontFace("measured", source).load();
      document.fonts.add(face);
      const span = document.createElement("span");
      span.style.cssText = "position:absolute;white-space:pre;font:100px measured;text-rendering:geometricPrecision";
      if (tabular) span.style.fontVariantNumeric = "tabular-nums";
      document.body.append(span);
      const width = texts.reduce((sum, text) => {
        span.textContent = text;
        return sum + span.getBoundingClientRect().width / 100;
      }, 0);
      const canvas = document.createElement("canvas").getContext("2d");
      canvas.font = "1000px measured";
      const { fontBoundingBoxAscent, fontBoundingBoxDescent } = canvas.measureText("x");
      span.remove();
      document.fonts.delete(face);
      return { width, ascent: fontBoundingBoxAscent / 1000, descent: fontBoundingBoxDescent / 1000 };
    },
    { source, texts, tabular },
  );
}

/** Rounded up: browsers round heights to whole pixels, and half a pixel must not fall below its half. */
const percent = (value) => `${Math.ceil(value * 1e6) / 1e4}%`;

async function face(family, font, texts, options) {
  const real = await measure(fileSource(font.file), texts, options);
  const ratio = real.width / (await measure(localSource(font.locals), texts)).width;
  return [
    "@font-face {",
    `  font-family: "${family}";`,
    ...(font.italic ? ["  font-style: italic;"] : []),
    `  src: ${localSource(font.locals)};`,
    `  size-adjust: ${percent(ratio)};`,
    `  ascent-override: ${percent(real.ascent / ratio)};`,
    `  descent-override: ${percent(real.descent / ratio)};`,
    "  line-gap-override: 0%;",
    "}",
  ].join("\n");
}

const blocks = [];
for (const font of fonts) {
  blocks.push(await face(`${font.family} Fallback`, font, lines));
  if (font.family === "Jost") blocks.push(await face("Jost Tabular Fallback", font, ["0"], { tabular: true }));
}
await browser.close();
writeFileSync(
  "src/ui/fallback-fonts.css",
  `/* Written by scripts/fallback-fonts.mjs. The machine's own fonts, as wide as ours over all texts: little moves when ours load. */\n${blocks.join("\n")}\n`,
);
