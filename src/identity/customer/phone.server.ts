import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { Locale } from "#i18n/locale.ts";

/** Whose national numbers need no prefix, by language. In English the shops' own country. */
const countries: Record<Locale, CountryCode> = { fr: "FR", en: "FR", de: "DE" };

/**
 * A phone number as people write it, in E.164. Without a prefix it is one of the customer's country if known, else of the
 * language's. No other country is tried: 0611 345678 is a landline in Wiesbaden, and would be somebody's mobile in France.
 */
export function normalisePhone(text: string, locale: Locale, country?: string): string | undefined {
  // Pasted numbers contain narrow and non-breaking spaces.
  const written = text.replace(/\s+/gu, " ").trim();
  const defaultCountry = country && isSupportedCountry(country) ? country : countries[locale];
  const phone = parsePhoneNumberFromString(written, { defaultCountry, extract: false });
  return phone?.isValid() && !phone.ext ? phone.number : undefined;
}

/** A stored number, grouped as people read it: "+33 6 12 34 56 78". */
export function readablePhone(number: string): string {
  return parsePhoneNumberFromString(number)?.formatInternational() ?? number;
}
