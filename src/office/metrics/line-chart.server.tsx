import { Fragment } from "react";
import { textsOf } from "#brand/texts.server.ts";
import { tagOf } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";
import { at, calendar, drawChart, number, plotHeight, Rules, size, Text, ticksOf } from "./chart.server.tsx";
import { addDays, daysOf, type Period, periodBefore } from "./period.server.ts";

interface Day {
  Day: string;
  Points: number;
  Mean: number;
  PreviousPoints: number | null;
  PreviousMean: number | null;
}

const left = 60;
const right = size.width - 112;
/** Shorter periods are drawn day by day; in longer ones the mean of seven days shows what the weekdays hide. */
const daysForMean = 28;

const usesMean = (period: Period) => daysOf(period) >= daysForMean;

/** Points issued by day: ink for the period, dashed for the one before. The table beside it has the numbers. */
export function lineChart(
  days: readonly Day[],
  periods: { period: Period; before: Period },
  campaigns: readonly { day: string; name: string }[],
  locale: Locale,
): string {
  const { t } = textsOf[locale];
  const { period, before } = periods;
  const now = days.map(({ Points, Mean }) => (usesMean(period) ? Mean : Points));
  const known = days.flatMap(({ PreviousPoints }) => PreviousPoints ?? []);
  const previous = usesMean(period) ? days.flatMap(({ PreviousMean }) => PreviousMean ?? []) : known;
  const ticks = ticksOf([...now, ...previous], { fromZero: false });
  const [first = 0, last = 1] = [ticks[0], ticks.at(-1)];
  const x = (n: number) => left + (days.length > 1 ? (n / (days.length - 1)) * (right - left) : (right - left) / 2);
  const y = (value: number) => size.top + plotHeight * (1 - (value - first) / (last - first || 1));
  const point = (value: number, n: number) => `${at(x(n))} ${at(y(value))}`;
  const line = (values: readonly number[], name: string) =>
    values.length > 1 ? (
      <path className={name} d={`M${values.map(point).join("L")}`} />
    ) : (
      values.map((value) => <circle key={name} className={`${name}-dot`} cx={at(x(0))} cy={at(y(value))} r={4} />)
    );
  const end = { now: y(now.at(-1) ?? 0), previous: y(previous.at(-1) ?? 0) };
  const labels = labelHeights(end);
  const endX = x(now.length - 1);
  const names = [nameOf(period, locale), nameOf(before, locale)] as const;
  const total = sumOf(days.map(({ Points }) => Points));
  const summary = t("office.figures.lineSummary", {
    ...{ period: names[0], total: number(total, locale) },
    ...{ before: names[1], previous: number(sumOf(known), locale) },
  });
  return drawChart(
    summary,
    { className: "office-chart", role: "img" },
    <>
      <Rules {...{ ticks, left, right, locale }} />
      <Marks {...{ period, x, locale }} />
      {campaigns.map(({ day, name }, n) => {
        const place = x(days.findIndex(({ Day }) => Day === day));
        // Words that would leave the chart stand before their line.
        const wordsBefore = place > right - 120;
        return (
          <Fragment key={`${day} ${name}`}>
            <line className="event" x1={at(place)} x2={at(place)} y1={size.top} y2={size.top + plotHeight} />
            <Text
              x={place + (wordsBefore ? -6 : 6)}
              y={size.top + 14 + 14 * (n % 4)}
              className="gold"
              textAnchor={wordsBefore ? "end" : "start"}
            >
              {`${name}, ${calendar(day, locale, { day: "numeric", month: "short" })}`}
            </Text>
          </Fragment>
        );
      })}
      {line(previous, "before")}
      {line(now, "now")}
      <circle className="now-dot" cx={at(endX)} cy={at(end.now)} r={3.5} />
      <Text x={endX + 10} y={labels.now + 4} className="ink">
        {names[0]}
      </Text>
      {previous.length > 0 && (
        <Text x={endX + 10} y={labels.previous + 4}>
          {names[1]}
        </Text>
      )}
    </>,
  );
}

/** The two names do not cover each other, nor the days below. */
function labelHeights({ now, previous }: { now: number; previous: number }) {
  if (Math.abs(now - previous) >= 16) return { now, previous };
  const lower = Math.min(Math.max(now, previous), size.top + plotHeight - 4);
  return now <= previous ? { now: lower - 16, previous: lower } : { now: lower, previous: lower - 16 };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Five days below the line, evenly apart; of a year five months. */
function Marks({ period, x, locale }: { period: Period; x: (n: number) => number; locale: Locale }) {
  const days = daysOf(period);
  const parts = Math.min(4, days - 1);
  const wanted =
    days > 92 ? ({ month: "short", year: "2-digit" } as const) : ({ day: "numeric", month: "short" } as const);
  return Array.from({ length: parts + 1 }, (_, mark) => {
    const n = parts === 0 ? 0 : Math.round((mark * (days - 1)) / parts);
    return (
      <Text key={n} x={x(n)} y={size.height - 16} textAnchor="middle">
        {calendar(addDays(period.from, n), locale, wanted)}
      </Text>
    );
  });
}

/** A month by its name, a day by its date, any other period by its two ends. */
function nameOf(period: Period, locale: Locale): string {
  const { from, to } = period;
  const short = (day: string) => calendar(day, locale, { day: "numeric", month: "short" });
  const isMonth = from.endsWith("-01") && from.slice(0, 7) === to.slice(0, 7) && addDays(to, 1).endsWith("-01");
  if (isMonth) return calendar(from, locale, { month: "long" });
  if (from === to) return short(from);
  const isYear = periodBefore(period).from.slice(5) === from.slice(5) && from.endsWith("-01");
  if (isYear || daysOf(period) > 300)
    return `${from.slice(0, 4)}${from.slice(0, 4) === to.slice(0, 4) ? "" : `–${to.slice(2, 4)}`}`;
  const range = new Intl.DateTimeFormat(tagOf(locale), { timeZone: "UTC", day: "numeric", month: "short" });
  return range.formatRange(new Date(from), new Date(to));
}
