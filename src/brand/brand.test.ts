import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { locales } from "#i18n/locale.ts";
import { BadBrand, readBrand } from "./brand.server.ts";
import { brandWords } from "./brand-words.ts";

type Change = (brand: Record<string, unknown>) => void;

/** A copy of the default brand, changed. */
function changed(change: Change): string {
  const directory = mkdtempSync(join(tmpdir(), "brand-"));
  cpSync("brand", directory, { recursive: true });
  const file = join(directory, "brand.json");
  const brand = JSON.parse(readFileSync(file, "utf8"));
  change(brand);
  writeFileSync(file, JSON.stringify(brand));
  return directory;
}

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
