import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readBrand } from "#brand/brand.server.ts";
import { BadBrand, type Report } from "#brand/brand-file.server.ts";

/** Letters that texts of our languages and amounts need; the narrow space is in French numbers alone. */
const letters = "éßœ€";
const narrowSpace = "\u202f";

/** Everything that is wrong with a brand's folder, one line each. */
export async function checkBrand(directory: string): Promise<string[]> {
  const problems: string[] = [];
  const report: Report = (file, field, problem) => problems.push(`${file}: ${field}: ${problem}`);
  try {
    const brand = readBrand(directory, report);
    await checkFonts(directory, letters + (brand.Languages.includes("fr") ? narrowSpace : ""), report);
  } catch (error) {
    // What cannot be read at all is said after what was found until then.
    if (!(error instanceof BadBrand)) throw error;
    if (problems.length === 0) problems.push(error.message);
  }
  return problems;
}

async function checkFonts(directory: string, needed: string, report: Report): Promise<void> {
  const folder = join(directory, "fonts");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const fonts = files.filter((file) => file.endsWith(".woff2"));
  if (fonts.length === 0) return;
  if (!files.some((file) => /licen[cs]e|OFL/i.test(file)))
    report(folder, "the folder", "the fonts' licence is missing");
  const { openSync } = await import("fontkit");
  for (const file of fonts) {
    const font = openSync(join(folder, file));
    const missing =
      "hasGlyphForCodePoint" in font
        ? [...needed].filter((letter) => !font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0))
        : [...needed];
    const named = missing.map((letter) => (letter === narrowSpace ? "the narrow space U+202F" : letter));
    if (named.length > 0) report(join(folder, file), "the font", `it lacks ${named.join(", ")}`);
  }
}
