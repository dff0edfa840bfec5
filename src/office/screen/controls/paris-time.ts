import { timeZone } from "#i18n/texts.ts";

const parts = new Intl.DateTimeFormat("sv-SE", {
  ...{ timeZone, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" },
});

/** A moment as a field of date and time shows it, in Paris: 2027-03-01T00:00. */
export const toParis = (moment: Date) => parts.format(moment).replace(" ", "T");

/** The moment that such a field names; undefined when it is empty. */
export function fromParis(local: string): Date | undefined {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // Paris is ahead by so much at about that time; asked twice, as the clocks may change in between.
  const ahead = (moment: number) => Date.parse(`${toParis(new Date(moment))}Z`) - moment;
  return new Date(asUtc - ahead(asUtc - ahead(asUtc)));
}
