import { textsOf } from "#brand/texts.server.ts";
import { clubTimeZone } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";
import type { TextId } from "#i18n/texts.ts";

/** The column of a list, as the API names it, whose heading has words in `messages/`. */
export type CsvColumn = TextId extends infer Id ? (Id extends `csv.${infer Name}` ? Name : never) : never;

/** The headings of a list in the reader's language. */
export const csvHeads = (columns: readonly CsvColumn[], locale: Locale) =>
  columns.map((name) => textsOf[locale].t(`csv.${name}`));

let clock: Intl.DateTimeFormat | undefined;

/** A moment in the club's time zone, as every spreadsheet reads it: 2026-11-17 14:05:09. */
export function csvMoment(moment: Date | string): string {
  clock ??= new Intl.DateTimeFormat("sv", { timeZone: clubTimeZone(), dateStyle: "short", timeStyle: "medium" });
  return clock.format(new Date(moment));
}
