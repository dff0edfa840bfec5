import type { Locale } from "#i18n/locale.ts";

type Cell = string | number | null;

/** A spreadsheet in French or German reads a comma as the decimal sign. */
const separators: Record<Locale, string> = { fr: ";", en: ",", de: ";" };

/** A decimal number as such a spreadsheet reads it. */
export const decimalText = (text: string, locale: Locale) => (locale === "en" ? text : text.replace(".", ","));

/** About how many rows will follow, for a progress bar. */
const estimateHeader = "x-estimated-rows";

/**
 * A list as CSV (RFC 4180), sent while it is read: at no time is more than one page of it in memory, and a client that
 * reads slowly slows the reading down. A page that cannot be read breaks the download off, so that half a list is not
 * taken for a whole one.
 */
export function csvResponse(list: {
  fileName: string;
  locale: Locale;
  /** The names of the columns. */
  columns: readonly string[];
  estimatedRows: number;
  pages: AsyncIterator<readonly (readonly Cell[])[]>;
}): Response {
  const { fileName, locale, columns, estimatedRows, pages } = list;
  const encoder = new TextEncoder();
  const lines = (rows: readonly (readonly Cell[])[]) =>
    encoder.encode(rows.map((row) => `${row.map(csvCell).join(separators[locale])}\r\n`).join(""));
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // The byte-order mark: without it Excel does not read UTF-8.
        controller.enqueue(encoder.encode("\uFEFF"));
        controller.enqueue(lines([columns]));
      },
      async pull(controller) {
        const { done, value } = await pages.next();
        if (done) controller.close();
        else controller.enqueue(lines(value));
      },
      async cancel() {
        await pages.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
      "content-language": locale,
      "cache-control": "no-store",
      [estimateHeader]: String(Math.max(0, Math.round(estimatedRows))),
    },
  });
}

/**
 * A spreadsheet runs a text that begins with one of these as a formula: an apostrophe before it makes it plain text.
 * Numbers of ours stay numbers.
 */
function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = /^[\s]*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[";,\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
