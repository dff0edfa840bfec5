import { amountOf } from "#brand/amounts.ts";
import type { Locale } from "#i18n/locale.ts";
import { type CsvColumn, csvHeads, csvMoment } from "#office/csv-words.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import { csvResponse } from "#platform/api/csv.server.ts";
import { decimalText } from "#platform/api/csv.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { readDayReceipts } from "#shop/sales/report/day-receipts.server.ts";
import { readClose, readReport as readDay } from "#shop/sales/report/report.server.ts";
import { findShop } from "./own-shop.server.ts";

/** A shop's day, with what its till counted otherwise. */
export async function readReport(
  queries: Queries,
  caller: OfficeCaller,
  { IdShop: shopId, Day: day }: { IdShop: number; Day: string },
) {
  await findShop(queries, caller, shopId);
  return { ...(await readDay(queries, shopId, day)), Close: await readClose(queries, shopId, day) };
}

const csvColumns: CsvColumn[] = ["At", "ReceiptNumber", "Kind", "Amount", "VoucherAmount", "Points", "Waits"];

/** The receipts of a shop's day as a file, sent while it is read. */
export async function reportAsCsv(
  queries: Queries,
  caller: OfficeCaller,
  { IdShop: shopId, Day: day }: { IdShop: number; Day: string },
  locale: Locale,
): Promise<Response> {
  const shop = await findShop(queries, caller, shopId);
  const { Sales, Returns } = await readDay(queries, shopId, day);
  const written = (cents: number) => decimalText(amountOf(cents), locale);
  async function* pages() {
    for await (const rows of readDayReceipts(queries, shopId, day))
      yield rows.map(({ time, number, kind, cents, voucherCents, points, waits }) => [
        ...[csvMoment(time), number, kind, written(cents)],
        ...[voucherCents === null ? null : written(voucherCents), points, waits ? 1 : 0],
      ]);
  }
  const estimatedRows = Sales.Count + Returns.Count;
  const fileName = `receipts-${fileWord(shop)}-${day}.csv`;
  return csvResponse({ fileName, locale, columns: csvHeads(csvColumns, locale), estimatedRows, pages: pages() });
}

/** A shop's name for the name of a file: "cercle-vendome". */
function fileWord({ id, name }: { id: number; name: string }): string {
  const emails = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return emails.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || String(id);
}
