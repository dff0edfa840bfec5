import { useMemo } from "react";
import { tags } from "#i18n/locale.ts";
import { timeZone } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";

/** Moments as tables show them: short, in the club's own time zone. */
export function useFormats() {
  const { locale } = useTexts();
  return useMemo(() => {
    const format = (options: Intl.DateTimeFormatOptions) => {
      const { format } = new Intl.DateTimeFormat(tags[locale], { timeZone, ...options });
      return (moment: string | Date) => format(new Date(moment));
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
      /** 1–24 déc. 2026. The end is the midnight after the last day. */
      days: (from: string, end: string) =>
        new Intl.DateTimeFormat(tags[locale], {
          timeZone,
          day: "numeric",
          month: "short",
          year: "numeric",
        }).formatRange(new Date(from), Math.max(Date.parse(from), Date.parse(end) - 1_000)),
      /** With its sign, for changes: +149, −250. */
      signed: (value: number) => {
        const { format } = new Intl.NumberFormat(tags[locale], { signDisplay: "exceptZero" });
        // The minus sign, which is as wide as the plus sign.
        return format(value).replace("-", "\u2212");
      },
    };
  }, [locale]);
}
