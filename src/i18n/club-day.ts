import { type Locale, tags } from "./locale.ts";
import type { Formats } from "./texts.ts";

/** What days and amounts are counted in: the brand's on the server, the document's in a browser. */
export type Units = Pick<Formats, "country" | "timeZone" | "money">;

/** Not there before a document or a brand was read; who asks earlier is told so by the engine. */
let units: () => Units;

export function provideUnits(read: () => Units): void {
  units = read;
}

/** How Intl writes days and numbers of a language here. */
export const tagOf = (locale: Locale): string => tagIn(locale, units().country);

/** As the brand's country writes its language, where Intl knows how; English is British everywhere, as its texts are. */
export function tagIn(locale: Locale, country: string): string {
  const tag = `${locale}-${country}`;
  const isKnown = locale !== "en" && new Intl.NumberFormat(tag).resolvedOptions().locale === tag;
  return isKnown ? tag : tags[locale];
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
