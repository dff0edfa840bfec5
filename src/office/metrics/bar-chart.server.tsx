import { Fragment } from "react";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { addMonths } from "#loyalty/status/status.ts";
import { at, calendar, drawChart, number, plotHeight, Rules, size, Text, ticksOf } from "./chart.server.tsx";

interface Outstanding {
  Months: readonly { Month: string; Points: number; Tiers: readonly number[] }[];
  TierNames: readonly string[];
}
type Month = Outstanding["Months"][number];

const left = 60;
const right = size.width;
const gap = 0.24;

/** Points outstanding by month of expiry, a bar for each, the lowest tier below. Pointing at a bar, or focusing it, shows its parts. */
export function barChart({ Months, TierNames: names }: Outstanding, locale: Locale): string {
  const { t } = textsOf[locale];
  const months = everyMonth(Months);
  const points = months.map(({ Points }) => Points);
  const ticks = ticksOf(points, { fromZero: true });
  const most = ticks.at(-1) ?? 1;
  const step = (right - left) / Math.max(12, months.length);
  const total = points.reduce((sum, value) => sum + value, 0);
  const summary = t("office.figures.barSummary", { total: number(total, locale) });
  return drawChart(
    summary,
    { className: "office-chart bars", role: "group" },
    <>
      <Rules {...{ ticks, left, right, locale }} />
      {months.map((month, n) => {
        const middle = left + (n + 0.5) * step;
        return (
          <g className="month" key={month.Month}>
            {month.Points > 0 && (
              <Bar x={left + n * step + (step * gap) / 2} width={step * (1 - gap)} {...{ month, most, locale }} />
            )}
            {isLabelled(months, n) && <Label x={middle} isFirst={n === 0} {...{ month, locale }} />}
            {month.Points > 0 && <Tip x={middle} {...{ month, n, most, names, locale }} />}
          </g>
        );
      })}
    </>,
  );
}

/** Those in which nothing expires have their place on the axis, too. */
function everyMonth(known: readonly Month[]): Month[] {
  const [first, last] = [known[0]?.Month, known.at(-1)?.Month];
  const all: Month[] = [];
  for (let Month = first; Month && last && Month <= last; Month = addMonths(`${Month}-01`, 1).slice(0, 7))
    all.push(known.find((one) => one.Month === Month) ?? { Month, Points: 0, Tiers: [] });
  return all;
}

const heightOf = (points: number, most: number) => (points / most) * plotHeight;

interface MonthProps {
  month: Month;
  x: number;
  locale: Locale;
}

function Bar({ month, x, width, most, locale }: MonthProps & { width: number; most: number }) {
  const whole = Math.max(heightOf(month.Points, most), 24);
  let below = 0;
  return (
    <>
      {month.Tiers.map((points, tier) => {
        const height = heightOf(points, most);
        below += height;
        const place = { x: at(x), y: at(size.top + plotHeight - below), width: at(width), height: at(height) };
        const name = `tier-${tier}`;
        return height > 0 && <rect key={name} className={name} {...place} />;
      })}
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it is focused to be read, with its parts, and does nothing. */}
      <rect
        className="whole"
        tabIndex={0}
        role="img"
        aria-label={`${monthName(month, locale)} : ${number(month.Points, locale)}`}
        x={at(x - 1)}
        y={at(size.top + plotHeight - whole - 1)}
        width={at(width + 2)}
        height={at(whole + 1)}
      />
    </>
  );
}

const monthName = ({ Month: month }: Month, locale: Locale) =>
  calendar(`${month}-15`, locale, { month: "long", year: "numeric" });

/** Every third month, and where a year begins; not where the next year's label is near. */
function isLabelled(months: readonly Month[], n: number): boolean {
  const month = months[n]?.Month ?? "";
  if (month.endsWith("-01") || months.length <= 12) return true;
  const nearNewYear = [1, 2].some((ahead) => months[n + ahead]?.Month.endsWith("-01"));
  return (n === 0 || (Number(month.slice(5)) - 1) % 3 === 0) && !nearNewYear;
}

/** Below a bar its month, and the year where it begins. */
function Label({ month: { Month: month }, x, isFirst, locale }: MonthProps & { isFirst: boolean }) {
  return (
    <>
      <Text x={x} y={size.height - 20} textAnchor="middle">
        {calendar(`${month}-15`, locale, { month: "short" })}
      </Text>
      {(isFirst || month.endsWith("-01")) && (
        <Text x={x} y={size.height - 5} textAnchor="middle">
          {month.slice(0, 4)}
        </Text>
      )}
    </>
  );
}

const tipWidth = 190;

function Tip({ month, n, x, most, names, locale }: MonthProps & { n: number; most: number; names: readonly string[] }) {
  const height = 30 + names.length * 18;
  const edge = Math.min(Math.max(left, x - tipWidth - 14), right - tipWidth);
  const beside = n < 8 ? Math.min(x + 14, right - tipWidth) : edge;
  const top = Math.max(2, Math.min(size.top + plotHeight - heightOf(month.Points, most), plotHeight - height));
  const end = beside + tipWidth - 10;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <g className="tip" aria-hidden="true">
      <rect className="box" x={at(beside)} y={at(top)} width={tipWidth} height={height} />
      <Text x={beside + 10} y={top + 19} className="ink">
        {monthName(month, locale)}
      </Text>
      <Text x={end} y={top + 19} className="ink" textAnchor="end">
        {number(month.Points, locale)}
      </Text>
      {/* From the highest tier down, as in the bar. */}
      {names.map((_, back) => {
        const tier = names.length - 1 - back;
        const y = top + 39 + back * 18;
        return (
          <Fragment key={tier}>
            <rect className={`tier-${tier}`} x={at(beside + 10)} y={at(y - 8)} width={8} height={8} />
            <Text x={beside + 25} y={y}>
              {names[tier]}
            </Text>
            <Text x={end} y={y} textAnchor="end">
              {number(month.Tiers[tier] ?? 0, locale)}
            </Text>
          </Fragment>
        );
      })}
    </g>
  );
}
