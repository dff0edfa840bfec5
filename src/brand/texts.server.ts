import { provideUnits } from "#i18n/club-day.ts";
import { formatsOf } from "#i18n/formats.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import { createTexts, type Texts } from "#i18n/texts.ts";
import { installedBrand, ofBrand } from "./brand.server.ts";
import { brandWords } from "./brand-words.ts";
import { catalogues } from "./catalogues.server.ts";
import { browserOverrides } from "./text-overrides.server.ts";

provideUnits(() => textsOf[installedBrand().DefaultLanguage].formats);

/** The server has the texts of all languages; those of a language that is not offered are the default language's. */
export const textsOf: Record<Locale, Texts> = perLocale((locale) => {
  const brand = installedBrand();
  if (!brand.Languages.includes(locale)) return textsOf[brand.DefaultLanguage];
  const { Currency: currency, TimeZone: timeZone } = brand;
  const { pictures } = brand.files;
  const own = brand.texts[locale] ?? {};
  // Browsers read the formats from the document.
  const texts = browserOverrides(own);
  const formats = formatsOf(locale, {
    currency,
    timeZone,
    words: brandWords(brand, locale),
    pictures,
    ...(texts && { texts }),
  });
  return createTexts(locale, { ...catalogues[locale], ...own }, formats);
});

/** Made when first used, and again for another brand. */
function perLocale<T>(make: (locale: Locale) => T): Record<Locale, T> {
  const property = (locale: Locale) => ({ enumerable: true, get: ofBrand(() => make(locale)) });
  return Object.defineProperties({}, Object.fromEntries(locales.map((locale) => [locale, property(locale)]))) as Record<
    Locale,
    T
  >;
}
