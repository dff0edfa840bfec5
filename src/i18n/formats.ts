import { tagIn } from "./club-day.ts";
import { type Locale, offeredLocales } from "./locale.ts";
import type { Catalogue, Formats } from "./texts.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** No zone changes its clocks twice in a week; asking for every day took a fifth of the product's start. */
const stepMs = 7 * dayMs;
const yearMs = 8_766 * hourMs;

interface Installation {
  country: string;
  currency: string;
  timeZone: string;
  words: Record<string, string>;
  pictures?: Formats["pictures"];
  texts?: Catalogue;
}

/** The formats of an installation in a language, around now. */
export function formatsOf(
  locale: Locale,
  { country, currency, timeZone, words, pictures = [""], texts }: Installation,
  now = Date.now(),
): Formats {
  const tag = tagIn(locale, country);
  const amounts = new Intl.NumberFormat(tag, { style: "currency", currency, currencyDisplay: "narrowSymbol" });
  const parts = amounts.formatToParts(1);
  const first = parts.findIndex(({ type }) => type === "integer");
  // In Switzerland a whole amount has its decimals too: CHF 10.00.
  const isSwiss = tag.endsWith("-CH");
  const written = (some: typeof parts) => some.map(({ value }) => value).join("");
  const after = parts
    .slice(first)
    .filter(({ type }) => type !== "integer" && type !== "decimal" && type !== "fraction");
  return {
    words: { ...words, ...capitals(words), ...currencyWords(tag, currency) },
    numbers: signsOf(new Intl.NumberFormat(tag)),
    money: [written(parts.slice(0, first)), written(after), currencyDecimals(currency), ...signsOf(amounts), isSwiss],
    country,
    timeZone,
    locales: offeredLocales(),
    pictures,
    offsets: offsetsOf(timeZone, now - 4 * yearMs, now + 2 * yearMs),
    ...(texts && { texts }),
  };
}

/** Between thousands, and before decimals. Which apostrophe the Swiss have depends on the release of Intl. */
function signsOf(format: Intl.NumberFormat): [group: string, decimal: string] {
  const parts = format.formatToParts(1_234_567.5);
  const signOf = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return [signOf("group").replace("'", "\u2019"), signOf("decimal")];
}

/** How many decimals a currency's amounts have: 2 of the euro, 0 of the yen, 3 of the dinar. */
export const currencyDecimals = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** `{currency}` and `{currencies}`, the names of one and of several: "euro" and "euros". */
function currencyWords(tag: string, currency: string): Record<string, string> {
  // Without decimals: English says "1.00 euros".
  const style = { style: "currency", currency, currencyDisplay: "name", maximumFractionDigits: 0 } as const;
  const names = new Intl.NumberFormat(tag, style);
  const nameOf = (count: number) =>
    names.formatToParts(count).find(({ type }) => type === "currency")?.value ?? currency;
  return { currency: nameOf(1), currencies: nameOf(100) };
}

/** `{Club}` is `{club}` at the beginning of a sentence. */
function capitals(words: Record<string, string>): Record<string, string> {
  const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [capital(name), capital(word)]));
}

/** Every change of clocks between two moments. Clocks change at a full hour of UTC, which is found by halving the step. */
function offsetsOf(timeZone: string, from: number, to: number): Formats["offsets"] {
  const start = Math.floor(from / dayMs) * dayMs;
  const at = (moment: number) => minutesAhead(timeZone, new Date(moment));
  const offsets = [null, start / hourMs, at(start)];
  let step = start;
  for (; step < to; step += stepMs) {
    if (at(step) === at(step + stepMs)) continue;
    let [before, after] = [step, step + stepMs];
    while (after - before > hourMs) {
      const middle = before + Math.floor((after - before) / hourMs / 2) * hourMs;
      if (at(middle) === at(step)) before = middle;
      else after = middle;
    }
    offsets.push(after / hourMs, at(after));
  }
  return [...offsets, step / hourMs, null];
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** How many minutes a zone's clocks are ahead of UTC. */
export function minutesAhead(timeZone: string, moment: Date): number {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  clocks.set(timeZone, clock);
  const name = clock.formatToParts(moment).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d+):?(\d+)?/.exec(name) ?? [];
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
}
