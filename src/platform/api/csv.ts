import type { Locale } from "#i18n/locale.ts";

export type CsvCell = string | number | null;

/** A spreadsheet in French or German reads a comma as the decimal sign. */
const separators: Record<Locale, string> = { fr: ";", en: ",", de: ";" };

/** The byte-order mark: without it Excel does not read UTF-8. */
export const csvStart = "\uFEFF";

/** Rows as CSV (RFC 4180), for a spreadsheet in this language. */
export const csvLines = (rows: readonly (readonly CsvCell[])[], locale: Locale) =>
  rows.map((row) => `${row.map((cell) => csvCell(cell, locale)).join(separators[locale])}\r\n`).join("");

/** A decimal number as such a spreadsheet reads it. */
export const decimalText = (text: string, locale: Locale) => (locale === "en" ? text : text.replace(".", ","));

/**
 * A spreadsheet runs a text that begins with one of these as a formula, some also behind blanks: an apostrophe before it
 * makes it plain text.
 */
export const withoutFormula = (text: string): string => (/^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** Numbers of ours stay numbers. */
function csvCell(cell: CsvCell, locale: Locale): string {
  if (cell === null) return "";
  if (typeof cell === "number") return decimalText(String(cell), locale);
  const text = withoutFormula(cell);
  return /[";,\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
