import { useMemo } from "react";
import { clubTimeZone, tagOf } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";

/** Moments as tables show them: short, in the club's own time zone. */
export function useFormats() {
  const { locale } = useTexts();
  return useMemo(() => formatsOf(locale), [locale]);
}

/** The first of a month is "1er" in French, which Intl does not write. */
export const written = (locale: Locale, parts: readonly { type: string; value: string }[]) =>
  parts.map(({ type, value }) => (locale === "fr" && type === "day" && value === "1" ? "1er" : value)).join("");

export function formatsOf(locale: Locale) {
  const timeZone = clubTimeZone();
  const intl = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tagOf(locale), { timeZone, ...options });
  const format = (options: Intl.DateTimeFormatOptions) => {
    const [moments, days] = [intl(options), intl({ ...options, timeZone: "UTC" })];
    // A date without a time is a day, wherever it is read.
    const isDay = (moment: string | Date) => typeof moment === "string" && moment.length === 10;
    return (moment: string | Date) => written(locale, (isDay(moment) ? days : moments).formatToParts(new Date(moment)));
  };
  return {
    /** 14 nov. */
    day: format({ day: "numeric", month: "short" }),
    /** 14 nov. 2026 */
    dayOfYear: format({ day: "numeric", month: "short", year: "numeric" }),
    /** 15:24 */
    time: format({ hour: "2-digit", minute: "2-digit" }),
    /** 14 nov. 2026, 15:24 */
    moment: format({ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" }),
    /** samedi 14 novembre 2026 */
    today: format({ weekday: "long", day: "numeric", month: "long", year: "numeric" }),
    /** 1er–24 déc. 2026. The end is the midnight after the last day. */
    days: (from: string, end: string) => {
      const last = Math.max(Date.parse(from), Date.parse(end) - 1_000);
      const dates = intl({ day: "numeric", month: "short", year: "numeric" });
      return written(locale, dates.formatRangeToParts(new Date(from), last));
    },
    /** 10 %, with or without the space before the sign as the language has it in the brand's country. */
    percent: new Intl.NumberFormat(tagOf(locale), { style: "percent" }).format,
    /** With its sign, for changes: +149, −250. */
    signed: (value: number) => {
      const { format } = new Intl.NumberFormat(tagOf(locale), { signDisplay: "exceptZero" });
      // The minus sign, which is as wide as the plus sign, and the apostrophe that all numbers have in Switzerland.
      return format(value).replace("-", "\u2212").replaceAll("'", "\u2019");
    },
  };
}
