import { provideUnits } from "#i18n/club-day.ts";
import { formatsOf } from "#i18n/formats.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import { type Catalogue, createTexts, type Formats, type Texts } from "#i18n/texts.ts";
import { installedBrand } from "./brand.server.ts";
import { brandWords } from "./brand-words.ts";
import { catalogues } from "./catalogues.server.ts";
import { namesIn, textsIn } from "./text-overrides.server.ts";

let numbers: Record<string, number> = {};

/** The numbers that every text may name, such as `{receiptDays}`: each is handed in from where it is enforced. */
export function provideNumbers(provided: Record<string, number>): void {
  numbers = provided;
}

provideUnits(() => textsOf[installedBrand().DefaultLanguage].formats);

/** Switzerland writes no ß. */
const swissTexts: Catalogue = Object.fromEntries(
  Object.entries(catalogues.de).flatMap(([id, text]) => {
    const written = JSON.stringify(text);
    return written.includes("ß") ? [[id, JSON.parse(written.replaceAll("ß", "ss"))]] : [];
  }),
);

/** The server has the texts of all languages; those of a language that is not offered are the default language's. */
export const textsOf: Record<Locale, Texts> = perLocale((locale) => {
  const brand = installedBrand();
  if (!brand.Languages.includes(locale)) return textsOf[brand.DefaultLanguage];
  const { Country: country, Currency: currency, TimeZone: timeZone } = brand;
  const { pictures } = brand.files;
  const formats = formatsOf(locale, { country, currency, timeZone, words: brandWords(brand, locale), pictures });
  const words = { ...formats.words, ...numbers };
  const texts = { ...(locale === "de" && country === "CH" && swissTexts), ...brand.texts[locale] };
  return createTexts(locale, catalogues[locale], { ...formats, words, texts });
});

/** What a document tells the browser, which shows these parts of the texts: the words they name, and the brand's own texts. */
const formatsIn = (isShown: (part: string) => boolean) =>
  perLocale((locale): Formats => {
    const { formats } = textsOf[locale];
    const own = textsIn(formats.texts ?? {}, isShown);
    const used = new Set(Object.values({ ...textsIn(catalogues[locale], isShown), ...own }).flatMap(namesIn));
    const words = Object.fromEntries(Object.entries(formats.words).filter(([name]) => used.has(name)));
    return { ...formats, words, texts: Object.keys(own).length > 0 ? own : undefined };
  });
export const pageFormats = formatsIn((part) => !["server", "till", "office"].includes(part));
/** Those of the till and of the back office. */
export const staffFormats = formatsIn((part) => part !== "server");

/** Made when first used, and again for another brand or other numbers. */
function perLocale<T>(make: (locale: Locale) => T): Record<Locale, T> {
  const made = new Map<Locale, { of: object[]; value: T }>();
  const get = (locale: Locale) => {
    const of = [installedBrand(), numbers];
    const found = made.get(locale);
    if (found?.of.every((one, index) => one === of[index])) return found.value;
    const value = make(locale);
    made.set(locale, { of, value });
    return value;
  };
  const property = (locale: Locale) => ({ enumerable: true, get: () => get(locale) });
  return Object.defineProperties({}, Object.fromEntries(locales.map((locale) => [locale, property(locale)]))) as Record<
    Locale,
    T
  >;
}
