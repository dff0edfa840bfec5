import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { locales } from "#i18n/locale.ts";
import { brandWith } from "#testing/brand.server.ts";
import { readBrand } from "./brand.server.ts";
import { BadBrand } from "./brand-file.server.ts";
import { brandWords } from "./brand-words.ts";
import { contrastOf } from "./contrast.ts";
import { darkColours } from "./dark-colours.ts";
import { pairsOnPaper } from "./theme.server.ts";

type Change = (brand: Record<string, unknown>) => void;

/** A copy of the default brand, changed. */
const changed = (change: Change) => brandWith({ "brand.json": change });

test("the default brand is a brand, with the same names in every language", () => {
  const brand = readBrand("brand");
  for (const locale of locales) expect(brandWords(brand, locale)).toMatchObject({ brand: brand.Name });
});

test.each<[string, Change, RegExp]>([
  ["a missing name", (brand) => delete brand["Name"], /brand\.json: Name: /],
  ["an unknown field", (brand) => (brand["Nome"] = "Nord"), /brand\.json: the file: .*"Nome"/],
  ["an unknown currency", (brand) => (brand["Currency"] = "EURO"), /brand\.json: Currency: no ISO 4217 currency/],
  ["an unknown time zone", (brand) => (brand["TimeZone"] = "Paris"), /brand\.json: TimeZone: no IANA time zone/],
  ["a sender without an address", (brand) => (brand["Sender"] = "Nord"), /brand\.json: Sender: it must hold one mail/],
  [
    "a form of the club's name that is missing",
    ({ ClubName }) => delete (ClubName as { de: Record<string, string> }).de["Dative"],
    /brand\.json: ClubName\.de\.Dative: /,
  ],
  ["an unknown language", (brand) => (brand["Languages"] = ["fr", "it"]), /brand\.json: Languages\.1: /],
  ["a default language it lacks", (brand) => (brand["Languages"] = ["en", "de"]), /DefaultLanguage: it is not among/],
  [
    "the name in a language it lacks",
    (brand) => (brand["Languages"] = ["fr", "de"]),
    /brand\.json: ClubName\.en: this language is not among/,
  ],
  [
    "a link that is missing in a language",
    ({ Links }) => delete (Links as { Orders: Record<string, string> }).Orders["de"],
    /brand\.json: Links\.Orders\.de: it is missing/,
  ],
  [
    "a link to a script",
    ({ Links }) => ((Links as { Orders: Record<string, string> }).Orders["de"] = "//evil.example"),
    /brand\.json: Links\.Orders\.de: it must begin with https/,
  ],
])("%s is refused in one line that names file and field", (_, change, line) => {
  const read = () => readBrand(changed(change));
  expect(read).toThrow(BadBrand);
  expect(read).toThrow(line);
});

test("a folder without a brand is refused, and so is a file that is no JSON", () => {
  expect(() => readBrand("src")).toThrow(/brand\.json: ENOENT/);
  const directory = changed(() => {});
  writeFileSync(join(directory, "brand.json"), "{");
  expect(() => readBrand(directory)).toThrow(/brand\.json: /);
});

test.each<[string, Record<string, string>, RegExp]>([
  ["an id that is not there", { "home.nothing": "x" }, /fr\.json: home\.nothing: no text has this id/],
  [
    "a placeholder that is missing",
    { "shell.language": "Langue" },
    /shell\.language: its placeholders must be \{name\}/,
  ],
  ["a placeholder of its own", { selectLanguage: "{langue}" }, /must be none, not \{langue\}/],
  ["a text that is not ICU", { selectLanguage: "{langue" }, /selectLanguage: it is not in ICU syntax/],
])("of a brand's own texts, %s is refused with its file and id", (_, texts, line) => {
  expect(() => readBrand(brandWith({ "messages/fr.json": texts }))).toThrow(line);
});

test("a brand's own texts may name the brand and the club", () => {
  const directory = brandWith({ "messages/fr.json": { selectLanguage: "{brand}, {clubOf} {Club}" } });
  expect(readBrand(directory).texts.fr).toHaveProperty("selectLanguage");
});

type ThemeJson = { Colours: Record<string, string>; [field: string]: unknown };
const withTheme = (change: (theme: ThemeJson) => void) => brandWith({ "theme.json": change });
const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inner}</svg>`;

test.each<[string, () => string, RegExp]>([
  [
    "an unknown role",
    () => withTheme(({ Colours }) => (Colours["Blue"] = "#0000ff")),
    /theme\.json: Colours: .*"Blue"/,
  ],
  [
    "a colour that is none",
    () => withTheme(({ Colours }) => (Colours["Ink"] = "red;}")),
    /theme\.json: Colours\.Ink: a colour/,
  ],
  [
    "pale words",
    () => withTheme(({ Colours }) => (Colours["Soft"] = "#999999")),
    /theme\.json: soft: #999999 on paper #ffffff has a contrast of 2\.85, and needs 4\.5/,
  ],
  [
    "pale words on a button",
    () => withTheme(({ Colours }) => (Colours["OnAccent"] = "#777777")),
    /theme\.json: on-accent: /,
  ],
  [
    "a font that is missing",
    () =>
      withTheme(
        (theme) =>
          (theme["Typefaces"] = {
            Text: { Family: "Nord", Generic: "serif", Files: [{ File: "nord.woff2", Weight: "400", Style: "normal" }] },
            Display: { Family: "Jost", Generic: "serif" },
          }),
      ),
    /nord\.woff2: the file: theme\.json names it/,
  ],
  [
    "a drawing with script",
    () => brandWith({ "icon.svg": svg("<script>1</script>") }),
    /icon\.svg: svg: it holds script/,
  ],
  [
    "a drawing with a handler",
    () => brandWith({ "icon.svg": svg('<g onload="x()"/>') }),
    /icon\.svg: svg: it holds script/,
  ],
  [
    "a drawing that loads",
    () => brandWith({ "logo.svg": svg('<image href="https://x.example/a.png"/>') }),
    /logo\.svg: svg: it refers/,
  ],
  [
    "letters in a drawing",
    () => brandWith({ "logo.svg": svg("<text>Nord</text>") }),
    /logo\.svg: svg: its letters must be outlines/,
  ],
  [
    "a picture that is too large",
    () => brandWith({ "pictures/home.jpg": "x".repeat(60_001) }),
    /home\.jpg: the file: it has 60001 bytes, and may have 60000/,
  ],
  [
    "a picture of no slot",
    () => brandWith({ "pictures/shop.jpg": "x" }),
    /shop\.jpg: the file: no picture has this name/,
  ],
  [
    "images that are stale",
    () => brandWith({ "derived/checksum.json": { Sources: "0" } }),
    /checksum\.json: Sources: .*npm run brand -- images /,
  ],
])("%s is refused with file, field and what to do", (_, make, line) => {
  expect(() => readBrand(make())).toThrow(line);
});

test.each(["brand", "examples/brand-nord"])(
  "of %s every pair of words and ground has its contrast on a dark screen",
  (directory) => {
    const { theme } = readBrand(directory);
    expect(contrastOf(theme.dark["paper"] ?? "", "#000000")).toBeLessThan(1.5);
    for (const [words, ground, least] of pairsOnPaper)
      expect(
        contrastOf(theme.dark[words] ?? "", theme.dark[ground] ?? ""),
        `${words} on ${ground}`,
      ).toBeGreaterThanOrEqual(least);
  },
);

test("colours in the middle get their contrast on a dark screen too; a brand that is dark already keeps its own", () => {
  const dull = withTheme(({ Colours }) => Object.assign(Colours, { Accent: "#767676", Danger: "#c03040" }));
  const { dark } = readBrand(dull).theme;
  expect(contrastOf(dark["on-accent"] ?? "", dark["accent"] ?? "")).toBeGreaterThanOrEqual(4.5);
  expect(contrastOf(dark["paper"] ?? "", dark["danger"] ?? "")).toBeGreaterThanOrEqual(4.5);
  const light = readBrand("brand").theme.colours;
  expect(darkColours({ ...light, paper: light["ink"] ?? "", ink: light["paper"] ?? "" }, pairsOnPaper)).toEqual({});
});
