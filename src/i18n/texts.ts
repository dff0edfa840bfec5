import type french from "../../messages/fr.json";
import { type Locale, tags } from "./locale.ts";

/** Every text has its id in `messages/fr.json`; another id does not compile. */
export type TextId = keyof typeof french;
export type Values = Record<string, string | number>;

type Signs = [group: string, decimal: string];

/** What texts, amounts and days take from the installation: its brand, currency and time zone, in one language. */
export interface Formats {
  /** What every text may name: `{brand}`, `{club}` in its forms, and numbers such as `{receiptDays}`. */
  words: Values;
  /** The signs between thousands and before decimals. */
  numbers: Signs;
  /** What is written before and after an amount, how many decimals it has, its signs, and whether a whole one has them too. */
  money: [before: string, after: string, decimals: number, ...Signs, isWholeExact: boolean];
  /** Of the brand, in whose way its languages are written (club-day.ts#tagOf). */
  country: string;
  timeZone: string;
  /** The languages of the installation, the default first. */
  locales: readonly Locale[];
  /**
   * Browsers look the club's day up in this table: their first use of a time zone takes a quarter of a second on a phone.
   * After a null, pairs of an hour, counted from 1970, and how many minutes the clocks are ahead of UTC from then on; null
   * where the table ends.
   */
  offsets: (number | null)[];
  /** The brand's pictures: by which they are named, and which there are. */
  pictures: [version: string, ...slots: string[]];
  /** Texts that the brand words in its own way. */
  texts?: Catalogue | undefined;
}

export interface Texts {
  locale: Locale;
  /** What the server hands to the browser (catalogues.ts#formatsName). */
  formats: Formats;
  t(id: TextId, values?: Values): string;
  number(value: number): string;
  /** An amount in the club's currency; its decimals are left out of a whole one, unless all are wanted, or none is. */
  money(amount: number | string, exact?: boolean): string;
  /** A day, with the name of its month. */
  date(day: string | Date): string;
  /** The same without its year, of a day that is near. */
  day(day: string | Date): string;
  /** The time of day. */
  time(moment: string): string;
  /** Adds another part of the catalogue. */
  add(catalogue: Catalogue): void;
}

/** A text as Lingui compiles it: words, the name of a value, or a choice by number. */
type Compiled = (string | [name: string, kind?: "plural", forms?: Record<string, Compiled>])[];
export type Catalogue = Record<string, Compiled>;

/*
 * Numbers and days are written here as Intl writes them; a test compares them. The first number that Intl formats costs a
 * phone's browser a quarter of a second, for its tables; so does the first date.
 */

/** The day before its month as each language writes it: French alone has an ordinal, for the first. */
const dayFormats: Record<Locale, (day: number) => string> = {
  fr: (day) => (day === 1 ? "1er" : String(day)),
  en: String,
  de: (day) => `${day}.`,
};

const timeFormats: Record<Locale, (hours: number, minutes: string) => string> = {
  fr: (hours, minutes) => `${hours}\u00a0h\u00a0${minutes}`,
  en: (hours, minutes) => `${String(hours).padStart(2, "0")}:${minutes}`,
  de: (hours, minutes) => `${hours}:${minutes}`,
};

const hourMs = 3_600_000;

/** Creating a formatter costs far more than using one: each is created once, and only when used. */
function lazily<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

/** The texts of one language. They hold no state of a request, so one instance serves all. */
export function createTexts(locale: Locale, catalogue: Catalogue, formats: Formats): Texts {
  const tag = tags[locale];
  const { words, numbers, money, timeZone, offsets, texts: ownTexts } = formats;
  let messages = { ...catalogue, ...ownTexts };
  let plain: Record<string, string> = {};
  /** A decimal number as the language writes it. */
  const formatNumber = (plain: string, [group, decimal]: Signs = numbers) => {
    const [whole = "", rest] = plain.split(".");
    return whole.replace(/\B(?=(\d{3})+$)/g, group) + (rest ? decimal + rest : "");
  };
  const plurals = lazily(() => new Intl.PluralRules(tag));
  const format = (text: Compiled, values: Values, count = 0): string =>
    text
      .map((token) => {
        if (token === "#") return formatNumber(String(count));
        if (typeof token === "string") return token;
        const [name, , forms] = token;
        const value = values[name] ?? words[name] ?? "";
        if (!forms) return value;
        const number = Number(value);
        return format(forms[number] ?? forms[plurals().select(number)] ?? forms["other"] ?? [], values, number);
      })
      .join("");
  /** The moment by the club's clocks, as the UTC fields of a Date. */
  const atClub = (moment: Date) => {
    const hours = moment.getTime() / hourMs;
    const row = offsets.findLastIndex((hour, index) => index % 2 === 1 && Number(hour) <= hours);
    const minutes = offsets[row + 1];
    if (typeof minutes === "number") return new Date(moment.getTime() + minutes * 60_000);
    return new Date(`${moment.toLocaleString("sv", { timeZone }).replace(" ", "T")}Z`);
  };
  /** The day with its month, and its year. */
  const formatDay = (day: string | Date): [string, number] => {
    // A date without a time is a day, wherever it is read.
    const club = typeof day === "string" && day.length === 10 ? new Date(day) : atClub(new Date(day));
    const month = format(messages["date.months"] ?? [], {}).split(" ")[club.getUTCMonth()];
    return [`${dayFormats[locale](club.getUTCDate())}\u00a0${month}`, club.getUTCFullYear()];
  };
  return {
    locale,
    formats,
    // A missing id is a fault that a test finds; the page then shows the id.
    t: (id, values) => {
      if (values) return format(messages[id] ?? [id], values);
      // Most texts take no values: such a text is put together once.
      plain[id] ??= format(messages[id] ?? [id], {});
      return plain[id];
    },
    number: (value) => formatNumber(String(value)),
    money: (amount, exact) => {
      const value = Number(amount);
      const [before, after, decimals, group, decimal, isWholeExact] = money;
      const isExact = exact ?? (isWholeExact || !Number.isInteger(value));
      return before + formatNumber(value.toFixed(isExact ? decimals : 0), [group, decimal]) + after;
    },
    date: (day) => formatDay(day).join(" "),
    day: (day) => formatDay(day)[0],
    time: (moment) => {
      const club = atClub(new Date(moment));
      return timeFormats[locale](club.getUTCHours(), String(club.getUTCMinutes()).padStart(2, "0"));
    },
    add: (part) => {
      messages = { ...messages, ...part, ...ownTexts };
      plain = {};
    },
  };
}
