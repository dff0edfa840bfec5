/** Says which time zone the club's days are in: the brand's on the server, the document's in a browser. */
export function provideTimeZone(read: () => string): void {
  clubTimeZone = read;
}

/** Days and times are the club's, wherever the customer or the server is. */
export let clubTimeZone = (): string => {
  throw new Error("The time zone is not known yet.");
};

let isoDay: Intl.DateTimeFormat | undefined;

/** The club's day, as YYYY-MM-DD (db/functions/club_day.sql says the same). */
export function clubDay(moment: Date = new Date()): string {
  isoDay ??= new Intl.DateTimeFormat("sv", { timeZone: clubTimeZone() });
  return isoDay.format(moment);
}
