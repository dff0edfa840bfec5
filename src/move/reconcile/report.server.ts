import { writeFile } from "node:fs/promises";
import { stringify } from "csv-stringify/sync";
import { asc, eq } from "drizzle-orm";
import { moveRejections } from "#move/move.tables.server.ts";
import { withoutFormula } from "#platform/api/csv.ts";
import type { Database } from "#platform/database/database.server.ts";
import { type Reconciliation, shownMeasure } from "./reconcile.server.ts";

/** The rejected rows and values of a run, as CSV. */
export async function rejectedCsv(database: Database, run: number): Promise<string> {
  const rows = await database
    .select()
    .from(moveRejections)
    .where(eq(moveRejections.runId, run))
    .orderBy(asc(moveRejections.file), asc(moveRejections.line), asc(moveRejections.id));
  return stringify(
    rows.map(({ file, line, field, value, reason, wholeRow }) => ({
      ...{ File: file, Line: line, Column: field ?? "", Value: withoutFormula(value ?? ""), Reason: reason },
      Rejected: wholeRow ? "row" : "value",
    })),
    { header: true, columns: ["File", "Line", "Column", "Value", "Reason", "Rejected"] },
  );
}

/** The reconciliation as CSV: a line per measure, month, status, check and invariant. */
export function reconciliationCsv(result: Reconciliation): string {
  const measured = (Kind: string, Name: string, one: Omit<Reconciliation["Measures"][number], "Name">) => ({
    ...{ Kind, Name, OldSystem: shownMeasure(Name, one.OldSystem), Package: shownMeasure(Name, one.Package) },
    ...{ Explained: shownMeasure(Name, one.Explained), Ledger: shownMeasure(Name, one.Ledger) },
    Difference: shownMeasure(Name, one.Difference),
  });
  return stringify(
    [
      ...result.Measures.map((one) => measured("measure", one.Name, one)),
      ...result.Statuses.map((one) => measured("status", one.Name, one)),
      ...result.Months.map((one) => measured("month", one.Month, one)),
      ...result.Checks.map(({ Name, Compared, Different }) => ({
        Kind: "check",
        Name,
        Package: Compared,
        Difference: Different,
      })),
      ...result.Invariants.map((one) => ({
        ...{ Kind: `invariant ${one.Number}`, Name: one.Name, Difference: one.Violations },
      })),
      { Kind: "signature", Name: result.Signature },
    ],
    { header: true, columns: ["Kind", "Name", "OldSystem", "Package", "Explained", "Ledger", "Difference"] },
  );
}

/** Writes both beside the package. */
export async function writeReports(
  database: Database,
  path: string,
  { run, result }: { run: number; result?: Reconciliation | undefined },
): Promise<void> {
  await writeFile(`${path}rejected.csv`, await rejectedCsv(database, run));
  if (!result) return;
  await writeFile(`${path}reconciliation.json`, `${JSON.stringify(result, null, 2)}\n`);
  await writeFile(`${path}reconciliation.csv`, reconciliationCsv(result));
}
