import { clubDay, clubTimeZone } from "#i18n/club-day.ts";
import type { FieldError } from "#platform/refusal.ts";

interface Asked {
  From: string;
  To: string;
  /** Monday is 1. */
  Weekdays?: number[] | undefined;
  FromHour?: number | undefined;
  ToHour?: number | undefined;
}

/** What cannot be of a campaign's days and hours, all of it at once; one that could never count is a mistake too. */
export function timeErrors({ From, To, Weekdays, FromHour = 0, ToHour = 24 }: Asked, now: Date): FieldError[] {
  const today = clubDay(now);
  const errors: FieldError[] = [];
  if (From < today) errors.push({ field: "From", code: "in_past" });
  if (To < From) errors.push({ field: "To", code: "before_start" });
  if (FromHour >= ToHour) errors.push({ field: "ToHour", code: "hours_order" });
  if (errors.length > 0) return errors;
  const days = firstDays(From, To).filter((day) => Weekdays?.includes(weekdayOf(day)) ?? true);
  if (days.length === 0) return [{ field: "Weekdays", code: "no_such_day" }];
  return days.every((day) => day === today && ToHour <= clubHour(now)) ? [{ field: "ToHour", code: "hours_over" }] : [];
}

const dayMilliseconds = 24 * 3_600_000;

/** The first days of a period, so many that each day of the week is among them, and that of today a second time. */
function firstDays(from: string, to: string): string[] {
  const start = Date.parse(from);
  return Array.from({ length: 8 }, (_, n) => new Date(start + n * dayMilliseconds).toISOString().slice(0, 10)).filter(
    (day) => day <= to,
  );
}

const weekdayOf = (day: string): number => new Date(day).getUTCDay() || 7;

const clubHour = (moment: Date): number =>
  Number(new Intl.DateTimeFormat("en", { timeZone: clubTimeZone(), hour: "numeric", hourCycle: "h23" }).format(moment));
