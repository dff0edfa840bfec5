import type { Locale } from "#i18n/locale.ts";
import { type CsvCell, csvLines, csvStart } from "./csv.ts";

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
  pages: AsyncIterator<readonly (readonly CsvCell[])[]>;
}): Response {
  const { fileName, locale, columns, estimatedRows, pages } = list;
  const encoder = new TextEncoder();
  const lines = (rows: readonly (readonly CsvCell[])[]) => encoder.encode(csvLines(rows, locale));
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(csvStart));
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
