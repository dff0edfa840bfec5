import type french from "../../messages/fr.json";
import { type Locale, tags } from "./locale.ts";

/** Every text has its id in `messages/fr.json`; another id does not compile. */
export type TextId = keyof typeof french;
export type Values = Record<string, string | number>;

/** Dates are days in Paris, wherever the customer or the server is. */
export const timeZone = "Europe/Paris";

export interface Texts {
  locale: Locale;
  t(id: TextId, values?: Values): string;
  number(value: number): string;
  /** An amount in euros. */
  money(amount: number | string): string;
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

/**
 * The formats of Intl.NumberFormat; a test compares them. The first number that Intl formats costs a phone's browser a
 * quarter of a second, for its tables; so does the first date, which is why dates are written here too.
 */
const numberFormats: Record<Locale, { group: string; decimal: string; euros: (amount: string) => string }> = {
  fr: { group: "\u202f", decimal: ",", euros: (amount) => `${amount}\u00a0€` },
  en: { group: ",", decimal: ".", euros: (amount) => `€${amount}` },
  de: { group: ".", decimal: ",", euros: (amount) => `${amount}\u00a0€` },
};

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

/** The moment's day in Paris, as the UTC fields of a Date. Its clocks change on the last Sundays of March and October, at one in UTC. */
function inParis(moment: Date): Date {
  const change = (month: number) => {
    const lastDay = new Date(Date.UTC(moment.getUTCFullYear(), month, 31, 1));
    return lastDay.getTime() - lastDay.getUTCDay() * 24 * hourMs;
  };
  const summer = moment.getTime() >= change(2) && moment.getTime() < change(9);
  return new Date(moment.getTime() + (summer ? 2 : 1) * hourMs);
}

/** Creating a formatter costs far more than using one: each is created once, and only when used. */
function lazily<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

/** The texts of one language. They hold no state of a request, so one instance serves all. */
export function createTexts(locale: Locale, catalogue: Catalogue): Texts {
  const tag = tags[locale];
  let messages = catalogue;
  const { group, decimal, euros } = numberFormats[locale];
  /** A decimal number as the language writes it. */
  const formatNumber = (plain: string) => {
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
        const value = values[name] ?? "";
        if (!forms) return value;
        const number = Number(value);
        return format(forms[number] ?? forms[plurals().select(number)] ?? forms["other"] ?? [], values, number);
      })
      .join("");
  /** The day with its month, and its year. */
  const formatDay = (day: string | Date): [string, number] => {
    // A date without a time is a day: noon in UTC is that day in Paris too.
    const moment = typeof day === "string" ? new Date(day.length === 10 ? `${day}T12:00:00Z` : day) : day;
    const paris = inParis(moment);
    const month = format(messages["date.months"] ?? [], {}).split(" ")[paris.getUTCMonth()];
    return [`${dayFormats[locale](paris.getUTCDate())} ${month}`, paris.getUTCFullYear()];
  };
  return {
    locale,
    // A missing id is a fault that a test finds; the page then shows the id.
    t: (id, values = {}) => format(messages[id] ?? [id], values),
    number: (value) => formatNumber(String(value)),
    money: (amount) => {
      const value = Number(amount);
      return euros(formatNumber(value.toFixed(Number.isInteger(value) ? 0 : 2)));
    },
    date: (day) => formatDay(day).join(" "),
    day: (day) => formatDay(day)[0],
    time: (moment) => {
      const paris = inParis(new Date(moment));
      return timeFormats[locale](paris.getUTCHours(), String(paris.getUTCMinutes()).padStart(2, "0"));
    },
    add: (part) => {
      messages = { ...messages, ...part };
    },
  };
}
