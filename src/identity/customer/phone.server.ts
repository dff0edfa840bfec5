import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { installedBrand } from "#brand/brand.server.ts";
import type { Locale } from "#i18n/locale.ts";

/**
 * A phone number as people write it, in E.164. Without a prefix it is parsed as one of the customer's country if known,
 * then as one of the brand's country, then, in German, as a German one.
 */
export function normalisePhone(text: string, locale: Locale, country?: string): string | undefined {
  // Pasted numbers contain narrow and non-breaking spaces.
  const written = text.replace(/\s+/gu, " ").trim();
  const { Country } = installedBrand();
  const countries: CountryCode[] = isSupportedCountry(Country) ? [Country] : [];
  if (country && isSupportedCountry(country)) countries.unshift(country);
  if (locale === "de") countries.push("DE");
  for (const defaultCountry of countries) {
    const phone = parsePhoneNumberFromString(written, { defaultCountry, extract: false });
    if (phone?.isValid() && !phone.ext) return phone.number;
  }
  return undefined;
}

/** A stored number, grouped as people read it: "+33 6 12 34 56 78". */
export function readablePhone(number: string): string {
  return parsePhoneNumberFromString(number)?.formatInternational() ?? number;
}
