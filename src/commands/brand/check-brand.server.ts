import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { readBrand } from "#brand/brand.server.ts";
import { BadBrand, type Report } from "#brand/brand-file.server.ts";
import { type Theme, usesBuiltFont } from "#brand/theme.server.ts";
import { readFirstProgramme } from "#loyalty/programme/first-programme.server.ts";

/** Letters that texts of our languages and amounts need; the narrow space is in French numbers alone. */
const letters = "éßœ€";
const narrowSpace = "\u202f";

/** Everything that is wrong with a brand's folder, one line each. */
export async function checkBrand(directory: string): Promise<string[]> {
  const problems: string[] = [];
  const report: Report = (file, field, problem) => problems.push(`${file}: ${field}: ${problem}`);
  try {
    const brand = readBrand(directory, report);
    readFirstProgramme(directory, brand, report);
    await checkFonts(directory, letters + (brand.Languages.includes("fr") ? narrowSpace : ""), report);
    await checkBuiltFonts(brand.theme, join(directory, "theme.json"), report);
  } catch (error) {
    // What cannot be read at all is said after what was found until then.
    if (!(error instanceof BadBrand)) throw error;
    if (problems.length === 0) problems.push(error.message);
  }
  return problems;
}

/** The product's own typefaces, as packages have them. The narrow space is drawn by their fallbacks, which every machine has. */
async function checkBuiltFonts(theme: Theme, file: string, report: Report): Promise<void> {
  const built = [
    ["Jost", "@fontsource-variable/jost/files/jost-latin-wght-normal.woff2"],
    ["Bodoni Moda", "@fontsource/bodoni-moda/files/bodoni-moda-latin-400-normal.woff2"],
  ] as const;
  for (const [family, path] of built) {
    if (!usesBuiltFont(theme, path)) continue;
    const missing = await missingIn(createRequire(import.meta.url).resolve(path), letters);
    if (missing.length > 0) report(file, "Typefaces", `${family} lacks ${missing.join(", ")}`);
  }
}

/** The letters that a font has no glyph for. */
async function missingIn(file: string, needed: string): Promise<string[]> {
  const { openSync } = await import("fontkit");
  const font = openSync(file);
  if (!("hasGlyphForCodePoint" in font)) return [...needed];
  return [...needed].filter((letter) => !font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
}

async function checkFonts(directory: string, needed: string, report: Report): Promise<void> {
  const folder = join(directory, "fonts");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const fonts = files.filter((file) => file.endsWith(".woff2"));
  if (fonts.length === 0) return;
  if (!files.some((file) => /licen[cs]e|OFL/i.test(file)))
    report(folder, "the folder", "the fonts' licence is missing");
  for (const file of fonts) {
    const missing = await missingIn(join(folder, file), needed);
    const named = missing.map((letter) => (letter === narrowSpace ? "the narrow space U+202F" : letter));
    if (named.length > 0) report(join(folder, file), "the font", `it lacks ${named.join(", ")}`);
  }
}
