import type { Locale } from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import { at, calendar, escaped, number, plotHeight, rules, size, text, ticksOf } from "./chart.server.ts";

interface Outstanding {
  Months: readonly { Month: string; Points: number; Tiers: readonly number[] }[];
  TierNames: readonly string[];
}
type Month = Outstanding["Months"][number];

const left = 60;
const right = size.width;
const gap = 0.24;

/** Points outstanding by month of expiry, a bar for each, the lowest tier below. Pointing at a bar, or focusing it, shows its parts. */
export function barChart({ Months: months, TierNames: names }: Outstanding, locale: Locale): string {
  const { t } = textsOf[locale];
  const ticks = ticksOf(
    months.map(({ Points }) => Points),
    { fromZero: true },
  );
  const most = ticks.at(-1) ?? 1;
  const step = (right - left) / Math.max(12, months.length);
  const bars = months.map((month, n) => bar(month, left + n * step + (step * gap) / 2, step * (1 - gap), most, locale));
  // The parts of a bar are drawn last, so that no other bar covers them.
  const tips = months.map((month, n) => tip(month, n, left + (n + 0.5) * step, most, names, locale));
  const summary = t("office.figures.barSummary", {
    total: number(
      months.reduce((sum, { Points }) => sum + Points, 0),
      locale,
    ),
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="office-chart bars" viewBox="0 0 ${size.width} ${size.height}" role="group" aria-label="${escaped(summary)}">`,
    rules(ticks, left, right, locale),
    ...bars.map(
      (drawn, n) => `<g class="month">${drawn}${label(months, n, left + (n + 0.5) * step, locale)}${tips[n]}</g>`,
    ),
    "</svg>",
  ].join("");
}

const heightOf = (points: number, most: number) => (points / most) * plotHeight;

function bar(month: Month, x: number, width: number, most: number, locale: Locale): string {
  let below = 0;
  const parts = month.Tiers.map((points, tier) => {
    const height = heightOf(points, most);
    below += height;
    const y = size.top + plotHeight - below;
    return height > 0
      ? `<rect class="tier-${tier}" x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}"/>`
      : "";
  });
  const name = `${monthName(month, locale)} : ${number(month.Points, locale)}`;
  const whole = Math.max(heightOf(month.Points, most), 24);
  return `${parts.join("")}<rect class="whole" tabindex="0" role="img" aria-label="${escaped(name)}" x="${at(x - 1)}" y="${at(size.top + plotHeight - whole - 1)}" width="${at(width + 2)}" height="${at(whole + 1)}"/>`;
}

const monthName = ({ Month: month }: Month, locale: Locale) =>
  calendar(`${month}-15`, locale, { month: "long", year: "numeric" });

/** Below every third bar its month, and the year where it begins. */
function label(months: readonly Month[], n: number, x: number, locale: Locale): string {
  const month = months[n]?.Month ?? "";
  const isNewYear = n === 0 || month.endsWith("-01");
  const nearNewYear = [1, 2].some((ahead) => months[n + ahead]?.Month.endsWith("-01"));
  const every = months.length > 12 ? (Number(month.slice(5)) - 1) % 3 === 0 : true;
  if (!isNewYear && (!every || (n > 0 && nearNewYear && months.length > 12))) return "";
  const words = text(x, size.height - 20, calendar(`${month}-15`, locale, { month: "short" }), 'text-anchor="middle"');
  return isNewYear ? `${words}${text(x, size.height - 5, month.slice(0, 4), 'text-anchor="middle"')}` : words;
}

const tipWidth = 190;

function tip(month: Month, n: number, x: number, most: number, names: readonly string[], locale: Locale): string {
  const height = 30 + names.length * 18;
  const edge = Math.min(Math.max(left, x - tipWidth - 14), right - tipWidth);
  const beside = n < 8 ? Math.min(x + 14, right - tipWidth) : edge;
  const top = Math.max(2, Math.min(size.top + plotHeight - heightOf(month.Points, most), plotHeight - height));
  const row = (tier: number, y: number) =>
    `<rect class="tier-${tier}" x="${at(beside + 10)}" y="${at(y - 8)}" width="8" height="8"/>${text(beside + 25, y, names[tier] ?? "")}${text(beside + tipWidth - 10, y, number(month.Tiers[tier] ?? 0, locale), 'text-anchor="end"')}`;
  return [
    `<g class="tip" aria-hidden="true"><rect class="box" x="${at(beside)}" y="${at(top)}" width="${tipWidth}" height="${height}"/>`,
    text(beside + 10, top + 19, monthName(month, locale), 'class="ink"'),
    text(beside + tipWidth - 10, top + 19, number(month.Points, locale), 'class="ink" text-anchor="end"'),
    // From the highest tier down, as in the bar.
    ...names.map((_, back) => row(names.length - 1 - back, top + 39 + back * 18)),
    "</g>",
  ].join("");
}
