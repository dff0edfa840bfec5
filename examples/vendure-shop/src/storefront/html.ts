/** HTML that may be put into a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | Value[] | false | null | undefined;

/** Whatever is no HTML is escaped. */
export const html = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(strings.reduce((text, string, place) => text + textOf(values[place - 1]) + string));

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join("");
  if (value === false || value === null || value === undefined) return "";
  return String(value).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const euros = new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" });
export const money = (cents: number): string => euros.format(cents / 100);

const days = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "Europe/Paris" });
export const day = (date: string): string => days.format(new Date(date));
