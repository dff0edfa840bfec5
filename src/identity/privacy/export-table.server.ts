import { stringify } from "csv-stringify/sync";
import { exportTableFileName } from "#identity/paths.ts";
import { withoutFormula } from "#platform/api/csv.ts";

/** Everything of an export as rows for a spreadsheet: in which part it is, of which record, which field, and its value. */
export function exportTable(exported: object): Response {
  const rows = valuesOf(exported, []).map(({ path, text }) => {
    const record = path.findLastIndex((one) => typeof one === "number");
    const named = record < 0 ? 1 : record;
    return {
      Part: path.slice(0, named).join("."),
      Record: path[record] ?? "",
      Field: path.slice(Math.max(named, record + 1)).join("."),
      Value: withoutFormula(text),
    };
  });
  // With a mark of its encoding, without which spreadsheets take it for another.
  return new Response(`\ufeff${stringify(rows, { header: true, columns: ["Part", "Record", "Field", "Value"] })}`, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${exportTableFileName}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

type Path = (string | number)[];

/** The single values inside, records counted from 1; empty values are left out. */
function valuesOf(value: unknown, path: Path): { path: Path; text: string }[] {
  if (value === null || value === undefined || value === "") return [];
  if (value instanceof Date) return [{ path, text: value.toISOString() }];
  if (typeof value !== "object") return [{ path, text: String(value) }];
  if (Array.isArray(value)) return value.flatMap((one, index) => valuesOf(one, [...path, index + 1]));
  return Object.entries(value).flatMap(([name, one]) => valuesOf(one, [...path, name]));
}
