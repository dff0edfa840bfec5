import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setupI18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import { formatsOf } from "./formats.ts";
import { type Locale, locales, tags } from "./locale.ts";
import { type Catalogue, createTexts, type TextId } from "./texts.ts";

/** The formats of an installation. */
const formats = (locale: Locale, currency = "EUR", timeZone = "Europe/Paris", country = "FR") =>
  formatsOf(locale, { country, currency, timeZone, words: { brand: "Nord", club: "der Kreis" } });

const read = (locale: Locale): Record<string, string> => JSON.parse(readFileSync(`messages/${locale}.json`, "utf8"));
const months = (locale: Locale): Catalogue => ({ "date.months": [read(locale)["date.months"] ?? ""] });

const numbers = [0, 1, 2, 1.5, 21, 1_000, 1_000_000];

test.each(locales)("%s: every text is formatted exactly as Lingui's own run time formats it", (locale) => {
  const source = read(locale);
  const compiled = Object.fromEntries(Object.entries(source).map(([id, text]) => [id, compileMessage(text)]));
  const lingui = setupI18n({ locale, locales: tags[locale], messages: { [locale]: compiled } });
  const texts = createTexts(locale, compiled as Catalogue, formats(locale));
  // Compared at once: some ten thousand expectations cost more than the texts.
  const written: [string, number, string][] = [];
  const byLingui: typeof written = [];
  for (const [id, text] of Object.entries(source)) {
    expect(text, id).not.toMatch(/\{\w+,(?! plural,)/);
    const names = [...text.matchAll(/\{(\w+)[,}]/g)].map(([, name = ""]) => name);
    for (const number of names.length > 0 ? numbers : [0]) {
      const values = Object.fromEntries(names.map((name) => [name, number]));
      written.push([id, number, texts.t(id as TextId, values)]);
      byLingui.push([id, number, lingui._(id, values)]);
    }
  }
  expect(written).toEqual(byLingui);
});

const currencies = locales.flatMap((locale) =>
  ["EUR", "CHF", "GBP", "JPY", "KWD"].map((code) => [locale, code] as const),
);

test.each(currencies)("%s: numbers and amounts in %s are formatted as Intl formats them", (locale, currency) => {
  const texts = createTexts(locale, {}, formats(locale, currency));
  const plain = new Intl.NumberFormat(tags[locale]);
  const style = { style: "currency", currency, currencyDisplay: "narrowSymbol" } as const;
  const amounts = new Intl.NumberFormat(tags[locale], style);
  const whole = new Intl.NumberFormat(tags[locale], { ...style, maximumFractionDigits: 0 });
  for (const value of [0, 7, 42, 250, 999, 1_000, 12_345, 999_999, 1_000_000, 123_456_789, -1, -1_250, 1.5, 1_234.25])
    expect(texts.number(value)).toBe(plain.format(value));
  for (const value of [0, 5, 10, 1_000, 1_234_567]) expect(texts.money(value)).toBe(whole.format(value));
  for (const value of ["0.50", "12.05", "1234.90"]) expect(texts.money(value)).toBe(amounts.format(Number(value)));
  expect(texts.money("10.00")).toBe(whole.format(10));
});

test("a brand's country decides how its languages write numbers and amounts; English stays British", () => {
  const written = (country: string, currency: string) =>
    locales.map((locale) => {
      const {
        number,
        money,
        formats: of,
      } = createTexts(locale, {}, formats(locale, currency, "Europe/Zurich", country));
      const amounts = [money(10), money("10.00"), money("1234.5"), number(1_234_567.5)].join(" | ");
      return [amounts.replaceAll("\u00a0", " ").replaceAll("\u202f", " "), of.country];
    });
  const [french, ...others] = written("CH", "CHF");
  // Between thousands newer releases of Intl write the apostrophe of German Switzerland in French, too.
  expect(french?.map((text) => text.replaceAll("’", " "))).toEqual([
    "10.00 CHF | 10.00 CHF | 1 234.50 CHF | 1 234 567,5",
    "CH",
  ]);
  expect(others).toEqual([
    ["CHF 10 | CHF 10 | CHF 1,234.50 | 1,234,567.5", "CH"],
    ["CHF 10.00 | CHF 10.00 | CHF 1’234.50 | 1’234’567.5", "CH"],
  ]);
  expect(written("AT", "EUR").at(2)?.[0]).toBe("€ 10 | € 10 | € 1.234,50 | 1 234 567,5");
});

test("texts name one unit of the currency and several", () => {
  const named = (currency: string) =>
    locales.map((locale) => {
      const { words } = formats(locale, currency);
      return `${words["currency"]}, ${words["currencies"]}`;
    });
  expect(named("EUR")).toEqual(["euro, euros", "euro, euros", "Euro, Euro"]);
  expect(named("CHF").at(1)).toBe("Swiss franc, Swiss francs");
});

const zones = locales.flatMap((locale) =>
  ["Europe/Paris", "Europe/Zurich", "America/New_York", "Pacific/Auckland", "Asia/Kolkata"].map(
    (zone) => [locale, zone] as const,
  ),
);

test.each(zones)("%s: days are formatted as Intl formats them, in the time zone %s", (locale, timeZone) => {
  const style = { day: "numeric", month: "long", year: "numeric", timeZone } as const;
  const intl = new Intl.DateTimeFormat(tags[locale], style);
  // A line does not end between a day and its month.
  const formatted = (moment: Date) =>
    intl
      .format(moment)
      .replace(/^1 /, locale === "fr" ? "1er " : "1 ")
      .replace(" ", "\u00a0");
  const hourMs = 3_600_000;
  // Every fifth day of twelve years, and each hour around changes of the clocks, inside and outside the table.
  const days = Array.from({ length: 12 * 73 }, (_, n) => new Date(Date.UTC(2024, 0, 1, 12) + n * 5 * 24 * hourMs));
  const changes = ["2027-03-28", "2027-10-31", "2027-03-14", "2027-11-07", "2027-04-04", "2031-03-30", "2031-10-26"];
  const hours = changes.flatMap((day) =>
    Array.from({ length: 48 }, (_, hour) => new Date(Date.parse(day) + (hour - 12) * hourMs)),
  );
  const moments = [...days, ...hours];
  const texts = createTexts(locale, months(locale), formats(locale, "EUR", timeZone));
  expect(moments.map((moment) => texts.date(moment))).toEqual(moments.map(formatted));
  // A day without a time is that day in every zone.
  expect(texts.date("2027-02-11")).toContain("11");
});

test("a time is the time in Paris, in summer and in winter, as the language writes it", () => {
  const times = (moment: string) => locales.map((locale) => textsOf[locale].time(moment));
  expect(times("2027-01-03T08:05:00Z")).toEqual(["9\u00a0h\u00a005", "09:05", "9:05"]);
  expect(times("2027-07-17T22:30:00Z")).toEqual(["0\u00a0h\u00a030", "00:30", "0:30"]);
});

test("a day without a time is that day, a moment is its day in Paris, the first of a month is an ordinal in French", () => {
  expect(textsOf.fr.date("2027-02-01")).toBe("1er\u00a0février 2027");
  expect(textsOf.fr.date("2027-02-11")).toBe("11\u00a0février 2027");
  expect(textsOf.en.date("2027-02-01")).toBe("1\u00a0February 2027");
  expect(textsOf.de.date("2027-02-01")).toBe("1.\u00a0Februar 2027");
  expect(textsOf.fr.day("2027-02-01")).toBe("1er\u00a0février");
  // Half past eleven in the evening in London is already tomorrow in Paris.
  expect(textsOf.fr.date("2027-01-31T23:30:00Z")).toBe("1er\u00a0février 2027");
});

test("every text may name the brand and its club, at the beginning of a sentence too", () => {
  const catalogue = { "login.title": [["brand"], ": ", ["Club"], " und ", ["club"]] } as Catalogue;
  expect(createTexts("de", catalogue, formats("de")).t("login.title")).toBe("Nord: Der Kreis und der Kreis");
});

test("a brand's own wording replaces a text, also of a part that is loaded later", () => {
  const own = { ...formats("fr"), texts: { "field.required": ["À remplir"], "login.title": ["Entrez"] } as Catalogue };
  const texts = createTexts("fr", { "field.required": ["Champ requis"] }, own);
  texts.add({ "login.title": ["Bonjour"] });
  expect([texts.t("field.required"), texts.t("login.title")]).toEqual(["À remplir", "Entrez"]);
});

test("a later part of the catalogue is added to the rest, and an unknown id is shown as it is", () => {
  const texts = createTexts("fr", { "field.required": ["Champ requis"] }, formats("fr"));
  texts.add({ "login.title": ["Bonjour ", ["name"]] });
  expect(texts.t("field.required")).toBe("Champ requis");
  expect(texts.t("login.title", { name: "Ada" })).toBe("Bonjour Ada");
  expect(texts.t("home.title" as TextId)).toBe("home.title");
});

test("what a form itself says of a field is among the texts that every page has", () => {
  const modules = ["src/identity", "src/loyalty", "src/shell", "src/ui"];
  const sources = modules.flatMap((module) =>
    readdirSync(module, { recursive: true, encoding: "utf8" })
      // The screen of a mailed code brings its texts along.
      .filter((file) => /(?<!\.test|\/code-screen)\.tsx$/.test(file))
      .map((file) => readFileSync(join(module, file), "utf8")),
  );
  const named = sources.flatMap((source) => Array.from(source.matchAll(/\bcode="(\w+)"/g), ([, code]) => code));
  expect(named).toContain("date");
  const base = import.meta.glob<Catalogue>("/messages/*.json", { query: "?base", import: "default", eager: true });
  expect(Object.keys(base)).toHaveLength(locales.length);
  for (const texts of Object.values(base))
    for (const code of ["required", "invalid", "email", ...named]) expect(texts).toHaveProperty([`field.${code}`]);
});
