import type pg from "pg";
import type { OpenPackage } from "#move/package/manifest.server.ts";
import { type MeasureName, measureNames, oldTotals, type Sums } from "./sums.server.ts";

/** What a check counted: the manifest, the files, and what of them would be moved. */
export interface Checked {
  Files: { File: string; Manifest: number; Rejected: number }[];
  /** Amounts in cents. */
  Measures: { Name: MeasureName; Manifest: number | null; Package: number; Moved: number }[];
}

/** The rows of a file are as many as the manifest says: a package with others is refused. */
export async function checkedOf(
  client: pg.PoolClient,
  pack: OpenPackage,
  run: number,
  sums: { package: Sums; staged: Sums },
): Promise<Checked> {
  const { rows } = await client.query<{ file: string; rejected: number }>(
    `select file, count(distinct line)::integer as rejected from move_rejected
     where run_id = $1 and whole_row group by 1`,
    [run],
  );
  const rejectedOf = new Map(rows.map(({ file, rejected }) => [file, rejected]));
  const told = oldTotals(pack);
  return {
    Files: Object.entries(pack.manifest.Files).map(([File, { Rows }]) => ({
      ...{ File, Manifest: Rows, Rejected: rejectedOf.get(File.replace(/\.gz$/, "")) ?? 0 },
    })),
    Measures: measureNames.map((Name) => ({
      ...{ Name, Manifest: told[Name] ?? null, Package: sums.package[Name], Moved: sums.staged[Name] },
    })),
  };
}
