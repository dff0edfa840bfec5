import { timeZone } from "./texts.ts";

const isoDay = new Intl.DateTimeFormat("sv", { timeZone });

/** The day in Paris, as YYYY-MM-DD (db/functions/club_day.sql says the same). */
export const dayInParis = (moment: Date = new Date()): string => isoDay.format(moment);
