import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { installedBrand } from "#brand/brand.server.ts";
import { type FileName, fileNames, fileOf } from "#move/package/columns.server.ts";
import { PackageRefused, rememberExport } from "#move/package/manifest.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { anonymous, exportSource, queryTotals, type Source, sources } from "./export-queries.server.ts";

/** Files of very different length: two of them are written while the longest is. */
const connections = 3;

/**
 * Writes everything as a package that `check` accepts, as of one moment: transactions that see one state. Each file is a
 * stream from PostgreSQL's COPY to the disk.
 */
export async function exportClub(
  database: Database,
  folder: string,
  { now, anonymise = false }: { now: Date; anonymise?: boolean },
): Promise<Record<string, number>> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new PackageRefused("not_empty", { folder });
  const first = await openReader(database);
  const readers = [first];
  try {
    const { rows } = await first.query<{ snapshot: string; moment: string }>(
      "select pg_export_snapshot() as snapshot, quote_literal(now()) || '::timestamptz' as moment",
    );
    const { snapshot = "", moment = "" } = rows[0] ?? {};
    while (readers.length < connections) readers.push(await openReader(database, snapshot));
    const Files: Record<string, { Rows: number; Sha256: string }> = Object.fromEntries(
      fileNames.map((name) => [`${name}.csv`, { Rows: 0, Sha256: "" }]),
    );
    const waiting = [...fileNames];
    const exporting = readers.map(async (reader) => {
      for (let name = waiting.shift(); name; name = waiting.shift())
        Files[`${name}.csv`] = await exportFile(reader, sources(moment)[name], { folder, name, anonymise });
    });
    await Promise.all(exporting);
    const manifest = {
      ...{ Format: 1, Source: exportSource, TakenAt: now.toISOString(), Currency: installedBrand().Currency, Files },
      Totals: await queryTotals(first, moment),
    };
    const written = `${JSON.stringify(manifest, null, 2)}\n`;
    // Before it can be read by anyone.
    await rememberExport(database, written);
    await writeFile(join(folder, "manifest.json"), written);
    return Object.fromEntries(Object.entries(Files).map(([file, { Rows }]) => [file, Rows]));
  } finally {
    for (const reader of readers) reader.release(true);
  }
}

/** A transaction that only reads, of its own state or of another's. */
async function openReader(database: Database, snapshot?: string): Promise<pg.PoolClient> {
  const client = await database.$client.connect();
  try {
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
       set work_mem = '64MB'; set jit = off`,
    );
    await client.query("begin isolation level repeatable read read only");
    if (snapshot) await client.query(`set transaction snapshot ${pg.escapeLiteral(snapshot)}`);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function exportFile(
  client: pg.PoolClient,
  { columns, from }: Source,
  { folder, name, anonymise }: { folder: string; name: FileName; anonymise: boolean },
) {
  const fields = Object.keys(fileOf(name).columns).filter((field) => field in columns);
  const value = (field: string) => (anonymise && name === "members" && anonymous[field]) || columns[field];
  const key = fileOf(name).key.filter((field) => field !== "SourceId");
  const order = ["sort", ...key.map((field) => `"${field}" collate "C"`)].join(", ");
  const list = fields.map((field) => `(${value(field)})::text as "${field}"`).join(", ");
  const shown = fields.map((field) => `"${field}"`).join(", ");
  // Members in the order of their numbers here: a move numbers them in the order of the file, so that it comes out again.
  const source = client.query(
    copyTo(
      `copy (select ${shown} from (select c.id as sort, ${list} from ${from}) rows order by ${order})
       to stdout with (format csv, header)`,
    ),
  );
  const digest = createHash("sha256");
  const tee = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(source, tee, createWriteStream(join(folder, `${name}.csv`), { mode: 0o600 }));
  return { Rows: source.rowCount, Sha256: digest.digest("hex") };
}
