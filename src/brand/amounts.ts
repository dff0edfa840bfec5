import { moneyDecimals } from "#i18n/club-day.ts";

/*
 * Amounts are decimal text in the API, with exactly the decimals of the currency ("89.90", in yen "8990"), and whole numbers
 * of its smallest unit inside: cents, whatever the currency calls them.
 */

const mostDigits = 9;
/** Of one amount, and of a receipt in all. */
export const mostCents = 10 ** mostDigits - 1;

/** How many cents the main unit of the currency has (db/functions/cents_per_unit.sql). */
export const centsPerUnit = (): number => 10 ** moneyDecimals();

export const centsOf = (amount: string): number => Math.round(Number(amount) * centsPerUnit());

export const amountOf = (cents: number): string => (cents / centsPerUnit()).toFixed(moneyDecimals());

/** Amounts are summed as whole cents: sums of fractions are not exact. */
export const sumCents = (amounts: readonly string[]): number =>
  amounts.reduce((sum, amount) => sum + centsOf(amount), 0);

const patterns = new Map<number, RegExp>();

/** An amount of the API. */
export function isAmount(text: string): boolean {
  const decimals = moneyDecimals();
  const known = patterns.get(decimals) ?? new RegExp(amountPattern());
  patterns.set(decimals, known);
  return known.test(text);
}

/** The same as a regular expression, for the documentation. */
export function amountPattern(): string {
  const decimals = moneyDecimals();
  return `^\\d{1,${mostDigits - decimals}}${decimals > 0 ? `\\.\\d{${decimals}}` : ""}$`;
}

/** What a person typed, "89,9", "89.90" or "CHF 89", in cents; undefined for what is no amount. */
export function typedCents(typed: string): number | undefined {
  const decimals = moneyDecimals();
  const [, whole = "", part = ""] =
    /^(?:\p{Sc}|[A-Z]{3})?\s*(\d+)(?:[.,](\d+))?\s*(?:\p{Sc}|[A-Z]{3})?$/u.exec(typed.trim()) ?? [];
  if (!whole || part.length > decimals) return undefined;
  return whole.length > mostDigits - decimals ? undefined : Number(whole + part.padEnd(decimals, "0"));
}
