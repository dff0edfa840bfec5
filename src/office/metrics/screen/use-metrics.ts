import { useMemo } from "react";
import { centsPerUnit } from "#brand/amounts.ts";
import { tagOf } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { readMetrics } from "#office/metrics/calls.ts";
import { written } from "#office/screen/controls/use-formats.ts";
import type { ResponseBody } from "#platform/api/api.ts";

export type Read = ResponseBody<typeof readMetrics>;
export type Metric = Read["Figures"][number];

const shares: readonly string[] = ["active_share", "sales_share", "repeat_share"];
const isShare = ({ Name }: Pick<Metric, "Name">) => shares.includes(Name);

/** How the page writes days, numbers and changes. */
export function useMetrics({ Period: { From, To }, IdShop, Compare }: Pick<Read, "Period" | "IdShop" | "Compare">) {
  const { t, locale, number, money, date } = useTexts();
  return useMemo(() => {
    const tag = tagOf(locale);
    const format = (options: Intl.NumberFormatOptions) => {
      const { format } = new Intl.NumberFormat(tag, options);
      return (value: number) => format(value).replace("-", "\u2212");
    };
    const percent = format({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
    const signedPercent = format({ ...{ style: "percent", minimumFractionDigits: 1 }, ...signed });
    const signedShare = format({ minimumFractionDigits: 1, ...signed });
    const noon = (day: string) => new Date(`${day}T12:00:00Z`);
    const sharePoints = (points: number) =>
      t("office.figures.sharePoints", { count: Math.abs(points), change: signedShare(points) });
    const day = (of: string) => date(of);
    const range = new Intl.DateTimeFormat(tag, { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" });
    const months = new Intl.DateTimeFormat(tag, { timeZone: "UTC", month: "long", year: "numeric" });
    const month = (of: string) => months.format(noon(of));
    const isMonth = From.endsWith("-01") && From.slice(0, 7) === To.slice(0, 7) && isLast(To);
    const shown = (metric: Metric, value: number) =>
      isShare(metric) ? percent(value) : metric.Name === "basket" ? money(value) : number(value);
    const shop = IdShop && { IdShop: String(IdShop) };
    const query = new URLSearchParams({ From, To, Compare, LanguageIsoCode: locale, ...shop });
    return {
      day,
      month,
      number,
      percent,
      wholePercent: format({ style: "percent", maximumFractionDigits: 0 }),
      /** Without the decimals. */
      wholeMoney: (cents: number) => {
        const whole = Math.round(cents / centsPerUnit());
        return (whole < 0 ? "\u2212" : "") + money(Math.abs(whole), false);
      },
      title: capital(
        isMonth
          ? month(From)
          : From === To
            ? day(From)
            : written(locale, range.formatRangeToParts(noon(From), noon(To))),
      ),
      shownOf: (metric: Metric) => shown(metric, metric.Value),
      previousOf: (metric: Metric) => shown(metric, metric.Previous),
      /** In per cent of what was before; of a share the difference. */
      changeOf: (metric: Pick<Metric, "Name" | "Value" | "Previous">) => {
        const { Value, Previous } = metric;
        if (Value === Previous) return t("office.figures.noChange");
        if (isShare(metric)) return sharePoints((Value - Previous) * 100);
        return Previous === 0 ? t("office.figures.isNew") : signedPercent((Value - Previous) / Previous);
      },
      csvOf: (table: string) => `/api/office/figures/csv?${query}&Table=${table}`,
    };
  }, [From, To, IdShop, Compare, locale, number, money, date, t]);
}

/** By what changes are sorted; of what is new, nothing. */
export const growthOf = ({ Value, Previous }: Pick<Metric, "Value" | "Previous">) =>
  Previous === 0 ? null : (Value - Previous) / Previous;

const signed = { signDisplay: "exceptZero", maximumFractionDigits: 1 } as const;
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
const isLast = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 3_600_000).getUTCDate() === 1;
