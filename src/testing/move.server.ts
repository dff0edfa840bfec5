import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { stringify } from "csv-stringify/sync";
import { type SQL, sql } from "drizzle-orm";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import type { FileName } from "#move/package/columns.server.ts";
import { differencesOf, type Reconciliation } from "#move/reconcile/reconcile.server.ts";
import { type MoveOptions, runMove, type Step } from "#move/run.server.ts";
import type { Database } from "#platform/database/database.server.ts";

type Row = Record<string, string | number>;
export type PackageRows = Partial<Record<FileName, Row[]>>;

export interface PackageOptions {
  folder?: string;
  source?: string;
  takenAt?: string;
  /** Totals of the old system, where they are to differ from those of the rows. */
  totals?: object;
  passwords?: object;
  /** The bytes of a file, as they are to be written instead. */
  raw?: Record<string, Buffer | string>;
  /** Changes the manifest before it is written. */
  manifest?(manifest: { Files: Record<string, { Rows: number; Sha256: string }> }): void;
  gzip?: boolean;
}

/** Writes a package of another club into a folder. For tests. */
export function writePackage(rows: PackageRows, options: PackageOptions = {}): string {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "package-"));
  mkdirSync(folder, { recursive: true });
  const takenAt = options.takenAt ?? "2026-11-16T21:00:00+01:00";
  const files: Record<string, { Rows: number; Sha256: string }> = {};
  for (const [name, list] of Object.entries(rows)) {
    const header = [...new Set(list.flatMap((row) => Object.keys(row)))];
    const file = `${name}.csv${options.gzip ? ".gz" : ""}`;
    const text = stringify(list, { header: true, columns: header });
    const bytes = options.raw?.[file] ?? (options.gzip ? gzipSync(text) : text);
    writeFileSync(join(folder, file), bytes);
    files[file] = { Rows: list.length, Sha256: createHash("sha256").update(bytes).digest("hex") };
  }
  const manifest = {
    ...{ Format: 1, Source: options.source ?? "old-club", TakenAt: takenAt, Currency: "EUR", Files: files },
    Totals: { ...totalsOf(rows, takenAt), ...options.totals },
    ...(options.passwords && { Passwords: options.passwords }),
  };
  options.manifest?.(manifest);
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  return folder;
}

function totalsOf(rows: PackageRows, takenAt: string) {
  const { members = [], lots = [], vouchers = [] } = rows;
  const lotsNow = lots.filter(
    ({ AvailableAt }) => !AvailableAt || Date.parse(String(AvailableAt)) <= Date.parse(takenAt),
  );
  const months: Record<string, number> = {};
  for (const { ExpiresAt, Points } of lotsNow) {
    const month = String(ExpiresAt).slice(0, 7);
    months[month] = (months[month] ?? 0) + Number(Points);
  }
  const sum = (list: Row[], field: string) => list.reduce((total, row) => total + Number(row[field] ?? 0), 0);
  return {
    Members: members.filter(({ JoinedAt, LeftAt }) => JoinedAt && !LeftAt).length,
    PointsAvailable: sum(lotsNow, "Points"),
    PointsByExpiryMonth: months,
    VouchersOpen: vouchers.length,
    VoucherAmountOpen: sum(vouchers, "Amount").toFixed(2),
    Newsletter: members.filter(({ Newsletter }) => Newsletter === 1).length,
    NewsletterSms: members.filter(({ NewsletterSms }) => NewsletterSms === 1).length,
  };
}

/** A member of another club, with what every test needs. */
export const person = (SourceId: string, more: object = {}) => ({
  ...{ SourceId, Email: `${SourceId}@example.com`, Firstname: "A", Lastname: "B", JoinedAt: "2024-01-01T00:00:00Z" },
  ...more,
});
export const lot = (SourceId: string, LotId: string, Points: number | string, more: object = {}) => ({
  ...{ SourceId, LotId, Points, EarnedAt: "2026-01-01T10:00:00Z", ExpiresAt: "2028-01-01T10:00:00Z" },
  ...more,
});

export const differences = (result: Reconciliation | undefined) => (result ? differencesOf(result) : ["no result"]);

/** Moves packages into a database, and reads what became of them. */
export function createMoves(database: Database) {
  const passwords = createPasswordHashes({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });
  const now = () => new Date("2026-11-17T00:00:00Z");
  const move = (step: Step, folder: string, more: Partial<MoveOptions> = {}) =>
    runMove({ database, folder, step, release: "test", now, passwords, ...more });
  const firstRow = async <T extends Record<string, unknown>>(query: SQL) => (await database.execute<T>(query)).rows[0];
  return {
    move,
    firstRow,
    /** Rehearses and commits. */
    async moveIn(folder: string, more: Partial<MoveOptions> = {}) {
      await move("rehearse", folder, more);
      return move("commit", folder, more);
    },
    customerOf: (sourceId: string) =>
      firstRow<{ id: number; balance: number }>(sql`
        select c.id::integer as id, a.balance from move_member m join customer c on c.id = m.customer_id
        left join loyalty_account a on a.customer_id = c.id where m.source_id = ${sourceId}`),
    countRows: async (table: string) =>
      Number((await firstRow<{ n: string }>(sql.raw(`select count(*) as n from ${table}`)))?.n),
    rejectionsOf: async (run: number) =>
      (
        await database.execute<{ what: string }>(sql`
          select file || ':' || line || ' ' || coalesce(field, '') || ' ' || reason as what from move_rejected
          where run_id = ${run} order by file, line, id`)
      ).rows.map(({ what }) => what),
  };
}
