import { useMemo } from "react";
import { tagOf } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { readMonthEnd } from "#office/month-end/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

export type Book = NonNullable<ResponseBody<typeof readMonthEnd>["Book"]>;

/** How the page writes months and parts. */
export function useMonths() {
  const { locale } = useTexts();
  return useMemo(() => {
    const written = (options: Intl.DateTimeFormatOptions) => {
      const { format } = new Intl.DateTimeFormat(tagOf(locale), { timeZone: "UTC", year: "numeric", ...options });
      return (month: string) => format(new Date(`${month}-15T12:00:00Z`));
    };
    const { format } = new Intl.NumberFormat(tagOf(locale), { style: "percent", maximumFractionDigits: 1 });
    return { title: written({ month: "long" }), percent: (part: number) => format(part) };
  }, [locale]);
}
