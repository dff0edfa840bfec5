// Writes src/ui/fallback-fonts.css: what stands in for our fonts until they have come, glyph for glyph as wide as they are.
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
    faces: 12,
  },
  { family: "Bodoni Moda", file: `${bodoni}-normal.woff2`, locals: serif, faces: 8 },
  { family: "Bodoni Moda", italic: true, file: `${bodoni}-italic.woff2`, locals: serifItalic, faces: 8 },
];

const letters = "àâäæçéèêëîïôöœùûüÿßÀÂÄÇÉÈÊËÎÏÔÖŒÙÛÜŸ«»’‘“”–—…·€°‑−\u00a0\u202f";
const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const characters = [...ascii, ...letters];
/** How often our texts use a character: where groups must be few, frequent ones fit best. Names and addresses have any. */
const lines = ["fr", "en", "de"].flatMap((locale) =>
  Object.entries(JSON.parse(readFileSync(`messages/${locale}.json`, "utf8")))
    .filter(([id, text]) => !/^(mail|manifest|sandbox|wallet)/.test(id) && !/[{}]/.test(text))
    .map(([, text]) => text),
);
const words = lines.join("");
const uses = (character) => words.split(character).length + (/[\p{L}\d]/u.test(character) ? 200 : 20);

const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium" });
const page = await browser.newPage();

/** The widths of strings, and the height above and below the baseline, for a font size of 1. */
async function measure(source, strings, { tabular = false } = {}) {
  return page
    .evaluate(
      async ({ source, strings, tabular }) => {
        const face = await new FontFace("measured", source).load();
        document.fonts.add(face);
        const span = document.createElement("span");
        span.style.cssText = "position:absolute;white-space:pre;font:1000px measured";
        if (tabular) span.style.fontVariantNumeric = "tabular-nums";
        document.body.append(span);
        const widths = strings.map((string) => {
          span.textContent = string;
          return [string, span.getBoundingClientRect().width / 1000];
        });
        const canvas = document.createElement("canvas").getContext("2d");
        canvas.font = "1000px measured";
        const { fontBoundingBoxAscent, fontBoundingBoxDescent } = canvas.measureText("x");
        span.remove();
        document.fonts.delete(face);
        return { widths, ascent: fontBoundingBoxAscent / 1000, descent: fontBoundingBoxDescent / 1000 };
      },
      { source, strings, tabular },
    )
    .then(({ widths, ...heights }) => ({ widths: new Map(widths), ...heights }));
}

/** How often each pair of characters follows one another in our texts. */
const pairs = new Map();
for (const line of lines)
  for (let index = 1; index < line.length; index++) {
    const pair = line.slice(index - 1, index + 1);
    if ([...pair].every((character) => characters.includes(character))) pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }

/** A character's width as our texts use it: kerning and ligatures make some narrower beside their neighbours. */
function widthInTexts(character, widths) {
  let sum = widths.get(character);
  let count = 1;
  for (const [pair, times] of pairs)
    if (pair[0] === character) {
      sum += times * (widths.get(pair) - widths.get(pair[1]));
      count += times;
    }
  return sum / count;
}

const fileSource = (file) => `url(data:font/woff2;base64,${readFileSync(file).toString("base64")})`;
const localSource = (names) => names.map((name) => `local("${name}")`).join(", ");

/** Splits characters, sorted by ratio, into groups of nearly the same one: the least sum of squared errors. */
function group(points, count) {
  const sums = [[0, 0, 0]];
  for (const { ratio, weight } of points) {
    const [weights, ratios, squares] = sums.at(-1);
    sums.push([weights + weight, ratios + weight * ratio, squares + weight * ratio * ratio]);
  }
  const between = (from, to) => sums[to].map((sum, index) => sum - sums[from][index]);
  const error = (from, to) => {
    const [weights, ratios, squares] = between(from, to);
    return squares - (ratios * ratios) / weights;
  };
  let best = [{ error: 0, cuts: [0] }];
  for (let groups = 1; groups <= count; groups++) {
    best = points.map((_, index) => {
      const to = index + 1;
      return best
        .slice(0, to)
        .map((before, from) => before && { error: before.error + error(from, to), cuts: [...before.cuts, to] })
        .reduce((least, next) => (next && (!least || next.error < least.error) ? next : least), undefined);
    });
    best.unshift(undefined);
  }
  const { cuts } = best.at(-1);
  return cuts.slice(1).map((to, index) => {
    const from = cuts[index];
    const [weights, ratios] = between(from, to);
    return { ratio: ratios / weights, characters: points.slice(from, to).map(({ character }) => character) };
  });
}

function unicodeRange(set) {
  const codes = set.map((character) => character.codePointAt(0)).sort((one, other) => one - other);
  const ranges = [];
  for (const code of codes) {
    if (ranges.at(-1)?.[1] === code - 1) ranges.at(-1)[1] = code;
    else ranges.push([code, code]);
  }
  const hex = (code) => code.toString(16);
  return ranges.map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join(", ");
}

/** Rounded up: browsers round heights to whole pixels, and half a pixel must not fall below its half. */
const percent = (value) => `${Math.ceil(value * 1e6) / 1e4}%`;

function face(font, { family, ratio, characters: set }, { ascent, descent }) {
  return [
    "@font-face {",
    `  font-family: "${family}";`,
    ...(font.italic ? ["  font-style: italic;"] : []),
    `  src: ${localSource(font.locals)};`,
    `  size-adjust: ${percent(ratio)};`,
    `  ascent-override: ${percent(ascent / ratio)};`,
    `  descent-override: ${percent(descent / ratio)};`,
    "  line-gap-override: 0%;",
    ...(set ? [`  unicode-range: ${unicodeRange(set)};`] : []),
    "}",
  ].join("\n");
}

/** The width of all our texts, in a font or in the faces that stand in for it. */
async function widthOf(font, source) {
  const style = source.startsWith("url(") ? `@font-face { font-family: "all"; src: ${source}; }` : source;
  const family = source.startsWith("url(") ? "all" : `${font.family} Fallback`;
  await page.setContent(
    `<style>${style}</style><div style='position:absolute;white-space:pre;font:${font.italic ? "italic" : ""} 100px "${family}"'></div>`,
  );
  return page.evaluate(async (lines) => {
    const block = document.querySelector("div");
    block.textContent = lines.join("\n");
    block.getBoundingClientRect();
    await document.fonts.ready;
    return lines.reduce((sum, line) => {
      block.textContent = line;
      return sum + block.getBoundingClientRect().width;
    }, 0);
  }, lines);
}

const blocks = [];
for (const font of fonts) {
  const real = await measure(fileSource(font.file), [...characters, ...pairs.keys()]);
  const fallback = await measure(localSource(font.locals), characters);
  const family = `${font.family} Fallback`;
  const points = characters
    .map((character) => ({
      character,
      ratio: widthInTexts(character, real.widths) / fallback.widths.get(character),
      weight: uses(character) * fallback.widths.get(character),
    }))
    .sort((one, other) => one.ratio - other.ratio);
  const [mean] = group(points, 1);
  // The first, of any character, gives way to those after it.
  const groups = [{ ratio: mean.ratio }, ...group(points, font.faces)];
  const faces = (scale) =>
    groups.map(({ ratio, characters: set }) => face(font, { family, ratio: ratio * scale, characters: set }, real));
  // The fallback has kerning of its own: taken together, our texts are to be as wide in one as in the other.
  const scale = (await widthOf(font, fileSource(font.file))) / (await widthOf(font, faces(1).join("\n")));
  blocks.push(...faces(scale));
  if (font.family !== "Jost") continue;
  const digits = [..."0123456789"];
  const tabular = await measure(fileSource(font.file), digits, { tabular: true });
  const ratio = tabular.widths.get("0") / fallback.widths.get("0");
  blocks.push(face(font, { family: "Jost Tabular Fallback", ratio, characters: digits }, real));
}
await browser.close();
writeFileSync(
  "src/ui/fallback-fonts.css",
  `/* Written by scripts/fallback-fonts.mjs. The machine's own fonts, glyph for glyph as wide as ours: nothing moves when ours come. */\n${blocks.join("\n")}\n`,
);
