import { type FieldCode, Refusal } from "#platform/refusal.ts";

/** Days of the club, both included. */
export interface Period {
  from: string;
  to: string;
}

const dayMs = 24 * 3_600_000;
export const periodYears = 3;
const mostDays = periodYears * 366;
/** Nothing happened before; the first years of all have no years before them to compare with. */
const firstDay = "2000-01-01";

const utc = (day: string) => new Date(`${day}T00:00:00Z`);
const written = (moment: Date) => moment.toISOString().slice(0, 10);
export const addDays = (day: string, days: number) => written(new Date(utc(day).getTime() + days * dayMs));
export const daysOf = ({ from, to }: Period) => (utc(to).getTime() - utc(from).getTime()) / dayMs + 1;

/** The first day of the month that lies so many months before or after a day's own. */
function monthFrom(day: string, months: number): string {
  const date = utc(day);
  return written(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)));
}

function whyNot(period: Period): FieldCode | undefined {
  if (period.from < firstDay) return "date";
  if (period.from > period.to) return "after_end";
  return daysOf(period) > mostDays ? "period_length" : undefined;
}

/** What was asked for; without dates the last whole month. */
export function periodOf({ From, To }: { From?: string | undefined; To?: string | undefined }, today: string): Period {
  const to = To ?? (From ? today : addDays(monthFrom(today, 0), -1));
  const from = From ?? monthFrom(to, 0);
  if (to > today) throw new Refusal("invalid", { errors: [{ field: "To", code: "date" }] });
  const code = whyNot({ from, to });
  if (code) throw new Refusal("invalid", { errors: [{ field: "From", code }] });
  return { from, to };
}

/** The same days a year earlier; 28 February where that year has no 29th. */
export function yearBefore({ from, to }: Period): Period {
  const earlier = (day: string) => {
    const moved = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
    return written(utc(moved)) === moved ? moved : `${moved.slice(0, 8)}28`;
  };
  return { from: earlier(from), to: earlier(to) };
}

/** Whole months are compared with as many months before them, other periods with as many days. */
export function periodBefore(period: Period): Period {
  const { from, to } = period;
  const isWhole = from.endsWith("-01") && addDays(to, 1).endsWith("-01");
  if (!isWhole) return { from: addDays(from, -daysOf(period)), to: addDays(from, -1) };
  let months = 1;
  while (monthFrom(from, months) <= to) months += 1;
  return { from: monthFrom(from, -months), to: addDays(from, -1) };
}
