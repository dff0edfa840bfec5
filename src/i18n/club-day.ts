import type { Formats } from "./texts.ts";

/** What days and amounts are counted in: the brand's on the server, the document's in a browser. */
export type Units = Pick<Formats, "timeZone" | "money">;

/** Not there before a document or a brand was read; who asks earlier is told so by the engine. */
let units: () => Units;

export function provideUnits(read: () => Units): void {
  units = read;
}

/** Days and times are the club's, wherever the customer or the server is. */
export const clubTimeZone = (): string => units().timeZone;

/** Of the currency: 2 of the euro, 0 of the yen, 3 of the dinar. */
export const moneyDecimals = (): number => units().money[2];

let isoDay: [timeZone: string, Intl.DateTimeFormat] | undefined;

/** The club's day, as YYYY-MM-DD (db/functions/club_day.sql says the same). */
export function clubDay(moment: Date = new Date()): string {
  const timeZone = clubTimeZone();
  if (isoDay?.[0] !== timeZone) isoDay = [timeZone, new Intl.DateTimeFormat("sv", { timeZone })];
  return isoDay[1].format(moment);
}
