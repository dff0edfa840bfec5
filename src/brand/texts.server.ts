import { provideTimeZone } from "#i18n/club-day.ts";
import { formatsOf } from "#i18n/formats.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import { type Catalogue, createTexts, type Formats, type Texts } from "#i18n/texts.ts";
import de from "../../messages/de.json";
import en from "../../messages/en.json";
import fr from "../../messages/fr.json";
import { installedBrand } from "./brand.server.ts";
import { brandWords } from "./brand-words.ts";

provideTimeZone(() => installedBrand().TimeZone);

/** The build compiles the files; TypeScript sees them as they are written. */
const catalogues = { fr, en, de } as unknown as Record<Locale, Catalogue>;

/** What the brand's texts, amounts and days need in a language; browsers read it from the document. */
const formatsIn: Record<Locale, Formats> = perLocale((locale) => {
  const brand = installedBrand();
  const { Currency: currency, TimeZone: timeZone } = brand;
  return formatsOf(locale, { currency, timeZone, words: brandWords(brand, locale) });
});

/** The server has the texts of all languages. */
export const textsOf: Record<Locale, Texts> = perLocale((locale) =>
  createTexts(locale, catalogues[locale], formatsIn[locale]),
);

/** Made when first used: a bad brand must be refused with one line, not by a failed import. */
function perLocale<T>(make: (locale: Locale) => T): Record<Locale, T> {
  const made: Partial<Record<Locale, T>> = {};
  const property = (locale: Locale) => ({ enumerable: true, get: () => (made[locale] ??= make(locale)) });
  return Object.defineProperties({}, Object.fromEntries(locales.map((locale) => [locale, property(locale)]))) as Record<
    Locale,
    T
  >;
}
