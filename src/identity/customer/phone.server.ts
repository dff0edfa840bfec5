import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { Locale } from "#i18n/locale.ts";

/**
 * A phone as people write it, in E.164. Without a prefix it is read as a number of the customer's own country when that
 * is known, else as a French one, and for somebody who reads German then as a German one.
 */
export function normalisePhone(text: string, locale: Locale, country?: string): string | undefined {
  // Narrow and unbreakable spaces come along with pasted numbers.
  const written = text.replace(/\s+/gu, " ").trim();
  const countries: CountryCode[] = ["FR"];
  if (country && isSupportedCountry(country)) countries.unshift(country);
  if (locale === "de") countries.push("DE");
  for (const defaultCountry of countries) {
    const phone = parsePhoneNumberFromString(written, { defaultCountry, extract: false });
    if (phone?.isValid() && !phone.ext) return phone.number;
  }
  return undefined;
}
