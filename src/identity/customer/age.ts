import { clubTimeZone } from "#i18n/texts.ts";

/** From this age on somebody may agree to our messages alone. */
export const marketingAge = 15;
const firstBirthday = "1900-01-01";

const isoDay = new Intl.DateTimeFormat("en-CA", {
  timeZone: clubTimeZone,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** The day in Paris, as YYYY-MM-DD. */
export function dayInParis(moment: Date = new Date()): string {
  return isoDay.format(moment);
}

/** Whole years on a day; somebody born on 29 February grows older on 1 March in other years. */
export function ageOn(birthday: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4));
  return day.slice(5) >= birthday.slice(5) ? years : years - 1;
}

/** A day that has passed, in living memory. */
export function isBirthday(day: string, today: string = dayInParis()): boolean {
  return day >= firstBirthday && day < today;
}
