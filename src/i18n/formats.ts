import { type Locale, offeredLocales, tags } from "./locale.ts";
import type { Catalogue, Formats } from "./texts.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const yearMs = 8_766 * hourMs;

interface Installation {
  currency: string;
  timeZone: string;
  words: Record<string, string>;
  pictures?: Formats["pictures"];
  texts?: Catalogue;
}

/** The formats of an installation in a language, around now. */
export function formatsOf(
  locale: Locale,
  { currency, timeZone, words, pictures = [""], texts }: Installation,
  now = Date.now(),
): Formats {
  const number = new Intl.NumberFormat(tags[locale], { style: "currency", currency, currencyDisplay: "narrowSymbol" });
  const parts = number.formatToParts(1);
  const first = parts.findIndex(({ type }) => type === "integer");
  const written = (some: typeof parts) => some.map(({ value }) => value).join("");
  const after = parts
    .slice(first)
    .filter(({ type }) => type !== "integer" && type !== "decimal" && type !== "fraction");
  return {
    words: { ...words, ...capitals(words), ...currencyWords(tags[locale], currency) },
    money: [written(parts.slice(0, first)), written(after), currencyDecimals(currency)],
    timeZone,
    locales: offeredLocales(),
    pictures,
    offsets: offsetsOf(timeZone, now - 4 * yearMs, now + 2 * yearMs),
    ...(texts && { texts }),
  };
}

/** How many decimals a currency's amounts have: 2 of the euro, 0 of the yen, 3 of the dinar. */
export const currencyDecimals = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** `{currency}` and `{currencies}`, the names of one and of several: "euro" and "euros". */
function currencyWords(tag: string, currency: string): Record<string, string> {
  const names = new Intl.NumberFormat(tag, { style: "currency", currency, currencyDisplay: "name" });
  const nameOf = (count: number) =>
    names.formatToParts(count).find(({ type }) => type === "currency")?.value ?? currency;
  return { currency: nameOf(1), currencies: nameOf(100) };
}

/** `{Club}` is `{club}` at the beginning of a sentence. */
function capitals(words: Record<string, string>): Record<string, string> {
  const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [capital(name), capital(word)]));
}

/** Every change of clocks between two moments. Clocks change at a full hour of UTC, which is found by halving the day. */
function offsetsOf(timeZone: string, from: number, to: number): Formats["offsets"] {
  const start = Math.floor(from / dayMs) * dayMs;
  const at = (moment: number) => minutesAhead(timeZone, new Date(moment));
  const offsets = [null, start / hourMs, at(start)];
  let day = start;
  for (; day < to; day += dayMs) {
    if (at(day) === at(day + dayMs)) continue;
    let [before, after] = [day, day + dayMs];
    while (after - before > hourMs) {
      const middle = before + Math.floor((after - before) / hourMs / 2) * hourMs;
      if (at(middle) === at(day)) before = middle;
      else after = middle;
    }
    offsets.push(after / hourMs, at(after));
  }
  return [...offsets, day / hourMs, null];
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
