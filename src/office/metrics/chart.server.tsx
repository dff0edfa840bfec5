import { Fragment, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { textsOf } from "#brand/texts.server.ts";
import { tagOf } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";

/** What the charts share: the size, an axis with round numbers, texts at a place. */
export const size = { width: 560, height: 232, top: 16, bottom: 38 };
export const plotHeight = size.height - size.top - size.bottom;

/** One decimal is enough for a screen. */
export const at = (position: number) => Number(position.toFixed(1));

export function drawChart(
  summary: string,
  kind: { className: string; role: string },
  children: ReactNode,
  { width, height }: { width: number; height: number } = size,
): string {
  return renderToStaticMarkup(
    <svg xmlns="http://www.w3.org/2000/svg" {...kind} viewBox={`0 0 ${width} ${height}`} aria-label={summary}>
      {children}
    </svg>,
  );
}

interface TextProps {
  x: number;
  y: number;
  className?: string;
  textAnchor?: "start" | "middle" | "end";
  children: ReactNode;
}

export function Text({ x, y, ...rest }: TextProps) {
  return <text x={at(x)} y={at(y)} {...rest} />;
}

/** Round numbers that span the values, at most five of them; from zero where that does not flatten the line. */
export function ticksOf(values: readonly number[], { fromZero }: { fromZero: boolean }): number[] {
  const most = Math.max(1, ...values);
  const least = fromZero || Math.min(...values) < most / 2 ? 0 : Math.min(...values);
  const step = roundStep((most - least) / 4 || most / 4);
  const first = Math.floor(least / step) * step;
  const ticks = [];
  for (let tick = first; ticks.length === 0 || (ticks.at(-1) ?? 0) < most; tick += step) ticks.push(tick);
  return ticks;
}

/** 1, 2 or 5 times a power of ten, and never a part of a point. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? 10 * power;
}

/** 80 000, and from a million on 1,2 M. */
function axisNumber(value: number, locale: Locale): string {
  if (value < 1_000_000) return number(value, locale);
  return new Intl.NumberFormat(tagOf(locale), { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

export const number = (value: number, locale: Locale) => textsOf[locale].number(value);

/** A day or a month of the club's calendar, written as asked. */
export function calendar(day: string, locale: Locale, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(tagOf(locale), { timeZone: "UTC", ...options }).format(new Date(`${day}T12:00:00Z`));
}

interface RulesProps {
  ticks: readonly number[];
  left: number;
  right: number;
  locale: Locale;
}

/** The rules of the axis with their numbers; the base is in ink only where it stands for zero. */
export function Rules({ ticks, left, right, locale }: RulesProps) {
  const [first = 0, last = 1] = [ticks[0], ticks.at(-1)];
  return ticks.map((tick) => {
    const y = size.top + plotHeight * (1 - (tick - first) / (last - first || 1));
    return (
      <Fragment key={tick}>
        <line className={tick === 0 ? "base" : "rule"} x1={left} x2={right} y1={at(y)} y2={at(y)} />
        <Text x={left - 8} y={y + 4} textAnchor="end">
          {axisNumber(tick, locale)}
        </Text>
      </Fragment>
    );
  });
}
