import type { Locale } from "#i18n/locale.ts";

/** All three languages write day, month, year; German puts dots between them. */
export const separatorOf = (locale: Locale) => (locale === "de" ? "." : "/");

/** What people type (24/12/1990, 24.12.1990, 24121990) as an ISO date; anything else is left for the server to refuse. */
export function isoDay(typed: string): string {
  const text = typed.trim();
  const parts = /^\d{8}$/.test(text) ? splitDay(text) : text.split(/[\s./-]+/);
  const [first = "", second = "", year = ""] = parts;
  if (parts.length !== 3 || !/^\d\d?-\d\d?-\d{4}$/.test(parts.join("-"))) return text;
  // Month first, as Americans write it, is accepted where day first makes no date.
  const [day, month] = Number(second) > 12 && Number(first) <= 12 ? [second, first] : [first, second];
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

export const splitDay = (digits: string) => [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)];

/** An ISO date as the language writes it: the field's initial value. */
export function typedDay(iso: string, locale: Locale): string {
  return iso.split("-").reverse().join(separatorOf(locale));
}
