import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { z } from "zod";
import { clubDay } from "#i18n/club-day.ts";
import type { Database } from "#platform/database/database.server.ts";
import { type SubjectName, subjectNames, subjectOf } from "./subjects.server.ts";

const Manifest = z.object({
  Format: z.literal(1),
  /** The rows of transactions from this one on, and before that one. */
  From: z.int(),
  To: z.int(),
  Day: z.iso.date(),
  WrittenAt: z.iso.datetime(),
  Files: z.array(
    z.object({ Subject: z.string(), Path: z.string(), Rows: z.int(), Bytes: z.int(), Sha256: z.string() }),
  ),
});
type Manifest = z.infer<typeof Manifest>;

export class ExportRefused extends Error {}

/** Sorted as text they are sorted by number. */
const rangeOf = (from: number, to: number) => `${String(from).padStart(16, "0")}-${String(to).padStart(16, "0")}`;
const manifestsOf = (folder: string) => join(folder, "manifests");

/**
 * Writes what was written since the last complete export into the folder, and returns its manifest; undefined when nothing
 * was. Rows are numbered by their transaction (db/functions/warehouse_written.sql). All transactions before the oldest that still runs have ended, so no row
 * comes later into a range that was exported; two ranges never overlap. The manifest appears last: files that none names
 * are of an export that was cut off, and are deleted by the next.
 */
export async function exportWarehouse(
  database: Database,
  folder: string,
  { now, onFile }: { now: Date; onFile?: (subject: SubjectName) => Promise<void> },
): Promise<Manifest | undefined> {
  await mkdir(manifestsOf(folder), { recursive: true });
  const client = await database.$client.connect();
  let isCopying = false;
  try {
    await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
    await client.query("begin isolation level repeatable read read only");
    // One at a time, on all machines.
    const { rows } = await client.query("select pg_try_advisory_xact_lock(hashtextextended('warehouse', 121)) as free");
    if (!rows[0]?.free) throw new ExportRefused("Another export is running.");
    const last = (await readManifests(folder)).at(-1);
    await deleteUnnamed(folder);
    const From = last?.To ?? 0;
    const horizon = await client.query("select pg_snapshot_xmin(pg_current_snapshot())::text as to");
    const To = Number(horizon.rows[0]?.to);
    if (To < From)
      throw new ExportRefused(`${folder} is of another database, or of before a restore: export into an empty folder.`);
    if (To === From) return undefined;
    const Day = clubDay(now);
    const Files: Manifest["Files"] = [];
    for (const subject of subjectNames) {
      const Path = join(subject, `day=${Day}`, `${rangeOf(From, To)}.jsonl.gz`);
      isCopying = true;
      Files.push({ Subject: subject, Path, ...(await writeSubject(client, subject, join(folder, Path), From, To)) });
      isCopying = false;
      await onFile?.(subject);
    }
    const manifest: Manifest = { Format: 1, From, To, Day, WrittenAt: now.toISOString(), Files };
    await writeWhole(join(manifestsOf(folder), `${rangeOf(From, To)}.json`), `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  } finally {
    // A connection in the middle of a copy answers nothing else; its end frees the lock too, a moment later.
    if (!isCopying) await client.query("rollback");
    client.release(true);
  }
}

/** The complete manifests, the oldest first. */
export async function readManifests(folder: string): Promise<Manifest[]> {
  const names = (await readdir(manifestsOf(folder))).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(
    names.map(async (name) => Manifest.parse(JSON.parse(await readFile(join(manifestsOf(folder), name), "utf8")))),
  );
}

async function deleteUnnamed(folder: string): Promise<void> {
  const named = new Set((await readManifests(folder)).flatMap(({ Files }) => Files.map(({ Path }) => Path)));
  for (const subject of subjectNames) {
    const found = await readdir(join(folder, subject), { recursive: true }).catch(() => []);
    for (const file of found.filter((name) => /\.jsonl\.gz(\.part)?$/.test(name)))
      if (!named.has(join(subject, file))) await rm(join(folder, subject, file));
  }
}

/** PostgreSQL writes the JSON; Node compresses it and computes the control sum on the way to the disk. */
async function writeSubject(client: pg.PoolClient, name: SubjectName, path: string, from: number, to: number) {
  const { columns, from: tables, written, where = "true" } = subjectOf(name);
  const list = Object.entries(columns).map(([column, { sql }]) => `${sql} as "${column}"`);
  // A CSV file whose quotation mark is a character that JSON always escapes is the text as it is.
  const source = client.query(
    copyTo(`copy (select row_to_json(rows) from (
      select ${list.join(", ")}, ${written} as "Sequence" from ${tables}
      where ${written} >= ${from} and ${written} < ${to} and ${where}) rows)
      to stdout with (format csv, quote e'\\x01', delimiter e'\\x02')`),
  );
  await mkdir(dirname(path), { recursive: true });
  const hash = createHash("sha256");
  let Bytes = 0;
  await pipeline(
    source,
    createGzip({ level: 1 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        Bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(`${path}.part`, { flush: true }),
  );
  await rename(`${path}.part`, path);
  return { Rows: source.rowCount, Bytes, Sha256: hash.digest("hex") };
}

/** A reader finds the whole file or none, also after a power failure. */
async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text, { flush: true });
  await rename(`${path}.part`, path);
  const folder = await open(dirname(path));
  await folder.sync();
  await folder.close();
}
