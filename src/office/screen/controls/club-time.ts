import { clubTimeZone } from "#i18n/club-day.ts";

const fields = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;

/** A moment as a field of date and time shows it, by the club's clocks: 2027-03-01T00:00. */
export const toClubTime = (moment: Date) =>
  moment.toLocaleString("sv-SE", { timeZone: clubTimeZone(), ...fields }).replace(" ", "T");

/** The moment that such a field names; undefined when it is empty. */
export function fromClubTime(local: string): Date | undefined {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // The club's clocks are ahead by so much at about that time; asked twice, as the clocks may change in between.
  const ahead = (moment: number) => Date.parse(`${toClubTime(new Date(moment))}Z`) - moment;
  return new Date(asUtc - ahead(asUtc - ahead(asUtc)));
}
