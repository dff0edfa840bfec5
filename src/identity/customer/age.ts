import { clubDay } from "#i18n/club-day.ts";

/** From this age on, marketing consent needs no parent. */
export const marketingAge = 15;
const firstBirthday = "1900-01-01";

/** Whole years on a day. In a common year, a person born on 29 February turns a year older on 1 March. */
export function ageOn(birthday: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4));
  return day.slice(5) >= birthday.slice(5) ? years : years - 1;
}

/** Whether a person alive today can be born on this day, and why not; the contract has checked that the day exists. */
export function birthdayError(day: string, today: string = clubDay()): "birthday" | "birthday_future" | undefined {
  if (day >= today) return "birthday_future";
  return day < firstBirthday ? "birthday" : undefined;
}
