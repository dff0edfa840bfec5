import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { parseFile, type Report } from "./brand-file.server.ts";
import type { BrandFiles } from "./brand-files.server.ts";
import { contrastOf, mixed } from "./contrast.ts";
import { darkColours } from "./dark-colours.ts";

const colour = z.string().regex(/^#[\da-f]{6}$/, "a colour is # and six of 0-9 and a-f");
const length = z.string().regex(/^-?(0|\d*\.?\d+(rem|em|px))$/, "a length is a number with rem, em or px");
const family = z.string().regex(/^[\w -]{1,60}$/, "a family has letters, digits, spaces and hyphens");

const colours = z.strictObject({
  Paper: colour,
  Ink: colour,
  Soft: colour,
  Line: colour,
  Accent: colour,
  OnAccent: colour,
  Danger: colour,
  Success: colour,
});
const shades = z.strictObject({
  Control: colour.optional(),
  Disabled: colour.optional(),
  Sand: colour.optional(),
  Linen: colour.optional(),
  Cream: colour.optional(),
  Gold: colour.optional(),
  GoldDark: colour.optional(),
  GoldLight: colour.optional(),
  GoldLine: colour.optional(),
  GoldMark: colour.optional(),
  Ornament: colour.optional(),
});
const typeface = z.strictObject({
  Family: family,
  Generic: z.enum(["serif", "sans-serif", "system-ui"]),
  /** Of the folder `fonts`; without any, the family is one that the product or the reader's machine has. */
  Files: z
    .array(
      z.strictObject({
        File: z.string().regex(/^[\w-]+\.woff2$/, "a file of the folder fonts that ends in .woff2"),
        Weight: z.string().regex(/^\d{3}( \d{3})?$/, "a weight, or the lightest and the heaviest"),
        Style: z.enum(["normal", "italic"]),
      }),
    )
    .default([]),
});

const themeSchema = z.strictObject({
  Colours: colours,
  /** What is not named is mixed from the colours. */
  Shades: shades.default({}),
  /** Behind the words of the three lowest statuses: ink on the first two, paper on the third. */
  Statuses: z.tuple([colour, colour, colour]),
  /** Woven: the cloth of each status is drawn on its colour. Plain: the colour alone. */
  Textures: z.enum(["woven", "plain"]),
  Radius: length,
  CardRadius: length,
  ButtonShape: z.enum(["square", "rounded", "pill"]),
  HeadingSpacing: length,
  /** Without it headings have the weight of the build, which is regular. */
  HeadingWeight: z.int().min(100).max(900).optional(),
  /** What is set apart in headings, in italics or not at all. */
  Emphasis: z.enum(["italic", "none"]).default("italic"),
  /** Of the corners of pictures. */
  PictureRadius: length.optional(),
  WordmarkSpacing: length,
  /** Over pages and emails: the name as a word mark, or `logo.svg`. */
  Header: z.enum(["wordmark", "logo"]).default("wordmark"),
  Typefaces: z.strictObject({ Text: typeface, Display: typeface }),
});

type ThemeFile = z.output<typeof themeSchema>;
export type Typeface = ThemeFile["Typefaces"]["Text"];

export interface Theme extends ThemeFile {
  /** Every colour by the name of its custom property. */
  colours: Record<string, string>;
  /** Those that differ for readers who prefer a dark screen. */
  dark: Record<string, string>;
}

/** Reads `theme.json`, and measures every pair of colours that occurs on a screen. */
export function readTheme(directory: string, report: Report): Theme {
  const file = join(directory, "theme.json");
  const theme = parseFile(file, themeSchema, report);
  const allColours = coloursOf(theme);
  for (const [words, ground, least] of pairs) {
    const [a, b] = [allColours[words] ?? "", allColours[ground] ?? ""];
    const contrast = contrastOf(a, b);
    if (contrast < least)
      report(file, words, `${a} on ${ground} ${b} has a contrast of ${contrast.toFixed(2)}, and needs ${least}`);
  }
  return { ...theme, colours: allColours, dark: darkColours(allColours, pairsOnPaper) };
}

type Pair = [words: string, ground: string, least: number];

/** Words on their ground need 4.5, borders of controls and marks of charts 3. */
export const pairsOnPaper: Pair[] = [
  ...["paper", "linen", "cream"].flatMap((ground): Pair[] => [
    ["ink", ground, 4.5],
    ["soft", ground, 4.5],
    ["danger", ground, 4.5],
    ["success", ground, 4.5],
  ]),
  ["on-accent", "accent", 4.5],
  ["paper", "danger", 4.5],
  ["accent", "paper", 3],
  ["disabled", "paper", 4.5],
  ["control", "paper", 3],
  ["gold", "paper", 4.5],
  ["gold-mark", "paper", 3],
];
/** On cloth, whose colours are the same on a dark screen. */
const pairs: Pair[] = [
  ...pairsOnPaper,
  ["ink", "cotton", 4.5],
  ["ink", "silk", 4.5],
  ["paper", "cashmere", 4.5],
  ["gold-dark", "cotton", 4.5],
  ["gold-dark", "silk", 3],
  ["gold-light", "cashmere", 4.5],
];

const kebab = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (capital) => `-${capital}`).toLowerCase();
const kebabKeys = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [kebab(name), value]));

function coloursOf({ Colours, Shades, Statuses: [cotton, silk, cashmere] }: ThemeFile): Record<string, string> {
  const { Paper, Ink, Soft, Line, Accent } = Colours;
  return {
    ...kebabKeys(Colours),
    control: mixed(Soft, 0.8, Paper),
    disabled: Soft,
    sand: Line,
    linen: mixed(Line, 0.3, Paper),
    cream: mixed(Line, 0.15, Paper),
    gold: Accent,
    "gold-dark": Ink,
    "gold-light": Paper,
    "gold-line": Line,
    "gold-mark": Accent,
    ornament: Accent,
    ...kebabKeys(Shades),
    cotton,
    silk,
    cashmere,
  };
}

/** Typefaces that the product brings along, with a fallback of the same width. */
const ownFamilies = ["Jost", "Bodoni Moda"];
const isOwn = ({ Family, Files }: Typeface) => ownFamilies.includes(Family) && Files.length === 0;

/** Whether a built font, by the name of its file, is of a typeface that the brand uses. */
export function usesBuiltFont({ Typefaces }: Theme, file: string): boolean {
  return Object.values(Typefaces).some(
    (typeface) => isOwn(typeface) && file.includes(typeface.Family.toLowerCase().replaceAll(" ", "-")),
  );
}

function stackOf(typeface: Typeface, fallback = "Fallback"): string {
  const { Family, Generic } = typeface;
  return [`"${Family}"`, ...(isOwn(typeface) ? [`"${Family} ${fallback}"`] : []), Generic].join();
}

const buttonRadius = (theme: Theme) => ({ square: "0", rounded: theme.Radius, pill: "99px" })[theme.ButtonShape];

/** The brand's look as custom properties: the built style sheets are the same for all brands. */
export function themeSheet(
  theme: Theme,
  { fontAddress, band, hasDarkLogo }: Pick<BrandFiles, "fontAddress" | "band" | "hasDarkLogo">,
): string {
  const { Text, Display } = theme.Typefaces;
  const faces = [Text, Display].flatMap(({ Family, Files }) =>
    Files.map(
      ({ File, Weight, Style }) =>
        `@font-face{font-family:"${Family}";src:url("${fontAddress(File)}") format("woff2");font-weight:${Weight};font-style:${Style};font-display:swap}`,
    ),
  );
  const plain = theme.Textures === "plain" ? ["cotton", "silk", "cashmere", "sheen"] : [];
  const shape = {
    "radius-control": theme.Radius,
    "radius-card": theme.CardRadius,
    "radius-button": buttonRadius(theme),
    "tracking-heading": theme.HeadingSpacing,
    "tracking-wordmark": theme.WordmarkSpacing,
    "font-sans": stackOf(Text),
    "font-tabular": stackOf(Text, "Tabular Fallback"),
    "font-display": stackOf(Display),
    ...Object.fromEntries(plain.map((name) => [`texture-${name}`, "none"])),
  };
  const rules = (prefix: string, values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => `--${prefix}${name}:${value};`)
      .join("");
  // Without colours of its own for a dark screen, the logo stays on light ground.
  const ownLogo = hasDarkLogo ? "header a img.light-scheme{color-scheme:dark;background:none}" : "";
  const light = `:root,.light-scheme{color-scheme:light;${rules("color-", theme.colours)}}`;
  const dark = `@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${rules("color-", theme.dark)}}${ownLogo}}`;
  const extra = [
    theme.HeadingWeight && `h1,h2,h3,.font-display{font-weight:${theme.HeadingWeight}}`,
    theme.Emphasis === "none" && "em,.italic{font-style:normal}",
    theme.PictureRadius &&
      `.drape,.drape-shade{border-radius:min(${theme.PictureRadius},20%)}.drape.drape-hero,.drape.drape-wide,.drape-wide+.drape-shade{inset:clamp(.5rem,1.5vw,1.5rem)}`,
    // A band across the card, between the brand's name and the member's.
    band &&
      `.cloth::after{content:"";position:absolute;inset:23% 0 auto;height:17%;background:url("${band}") 50%/auto 100% repeat-x}`,
  ];
  return `${faces.join("")}:root{${rules("", shape)}}${light}${dark}${extra.filter(Boolean).join("")}`;
}

/** A source of a content security policy that allows this very style. */
export const hashSource = (sheet: string) => `'sha256-${createHash("sha256").update(sheet).digest("base64")}'`;
