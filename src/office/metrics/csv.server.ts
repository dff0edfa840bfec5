import { amountOf } from "#brand/amounts.ts";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { type CsvColumn, csvHeads } from "#office/csv-words.server.ts";
import { csvResponse } from "#platform/api/csv.server.ts";
import { decimalText } from "#platform/api/csv.ts";
import type { Metrics } from "./report.server.ts";

type Cell = string | number | null;

/** One of the tables behind the metrics as a file; numbers as a spreadsheet of this language reads them. */
export function metricsAsCsv(
  metrics: Metrics,
  table: "figures" | "days" | "outstanding" | "shops",
  locale: Locale,
): Response {
  const heads = (...columns: CsvColumn[]) => csvHeads(columns, locale);
  const written = (cents: number | null) => (cents === null ? null : decimalText(amountOf(cents), locale));
  const number = (value: number) => (Number.isInteger(value) ? value : decimalText(value.toFixed(4), locale));
  const tables: Record<typeof table, () => { columns: string[]; rows: Cell[][] }> = {
    figures: () => ({
      columns: heads("Metric", "Value", "Previous", "Euros", "PreviousEuros", "Definition"),
      rows: metrics.Figures.map(({ Name, Value, Previous, Cents, PreviousCents, Definition }) => [
        ...[textsOf[locale].t(`office.figure.${Name}`), number(Value), number(Previous)],
        ...[written(Cents), written(PreviousCents), Definition],
      ]),
    }),
    days: () => ({
      columns: heads("Day", "Points", "Mean", "PreviousPoints"),
      rows: metrics.Days.map(({ Day, Points, Mean, PreviousPoints }) => [Day, Points, number(Mean), PreviousPoints]),
    }),
    outstanding: () => ({
      columns: [...heads("Month", "Points", "Euros"), ...(metrics.Outstanding?.TierNames ?? [])],
      rows: (metrics.Outstanding?.Months ?? []).map(({ Month, Points, Cents, Tiers }) => [
        ...[Month, Points, written(Cents)],
        ...Tiers,
      ]),
    }),
    shops: () => ({
      columns: heads("Shop", "Sales", "Euros", "Share", "Points", "PreviousPoints", "VouchersUsed", "Joined"),
      rows: metrics.Shops.map(({ Name, Sales, Cents, Share, Points, PreviousPoints, VouchersUsed, Joined }) => [
        ...[Name, Sales, written(Cents), number(Share), Points, PreviousPoints, VouchersUsed, Joined],
      ]),
    }),
  };
  const { columns, rows } = tables[table]();
  async function* pages() {
    yield rows;
  }
  const fileName = `${table}-${metrics.Period.From}-${metrics.Period.To}.csv`;
  return csvResponse({ fileName, locale, columns, estimatedRows: rows.length, pages: pages() });
}
