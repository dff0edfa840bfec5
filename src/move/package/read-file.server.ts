import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Transform, type TransformCallback, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { CsvError, parse } from "csv-parse";
import { type FileName, fileOf, typeOf } from "./columns.server.ts";
import type { FailureId } from "./failures.ts";
import { type OpenPackage, PackageRefused } from "./manifest.server.ts";
import type { Reason } from "./reasons.ts";
import { BadValue, formula, type ReadContext } from "./values.server.ts";

/** What of a row was not taken: the whole row, or the value of one field. */
export interface Rejection {
  file: string;
  line: number;
  field: string | null;
  value: string | null;
  reason: Reason;
  wholeRow: boolean;
  sourceId: string | null;
}

/** A row as it was read: the texts that PostgreSQL takes, by column. */
export type ReadRow = Map<string, string | null>;

export interface FileReader {
  context: ReadContext;
  reject(rejection: Rejection, row: ReadRow): void;
  /** Further columns that are made of a row, or nothing when the row is not taken. */
  derive?(row: ReadRow, refuse: (field: string, reason: Reason, wholeRow?: boolean) => void): (string | null)[];
  progress(rows: number): void;
}

const maxRecordBytes = 1 << 20;
const shownValue = 100;

/**
 * Reads a file of a package into `target`, which takes lines of PostgreSQL's COPY: the line's number, the columns in the
 * order of the definition, and what is derived. Nothing but one chunk is in memory. Returns the rows of the file.
 */
export async function readFile(
  pack: OpenPackage,
  name: FileName,
  target: Writable,
  reader: FileReader,
): Promise<number> {
  const listed = pack.files.get(name) ?? "";
  const expected = pack.manifest.Files[listed];
  const digest = createHash("sha256");
  const source = createReadStream(join(pack.folder, listed), { highWaterMark: 1 << 18 });
  source.on("data", (chunk) => digest.update(chunk));
  const rows = createRows(name, listed, expected?.Rows ?? 0, reader);
  const text = new CheckedText(listed);
  try {
    const stages = listed.endsWith(".gz") ? [createGunzip(), text] : [text];
    await pipeline([source, ...stages, parser(), rows.lines, target]);
  } catch (error) {
    throw refusalOf(error, listed) ?? error;
  }
  if (digest.digest("hex") !== expected?.Sha256) throw new PackageRefused("other_file", { file: listed });
  if (rows.count() !== expected.Rows)
    throw new PackageRefused("row_count", { file: listed, rows: rows.count(), expected: expected.Rows });
  return rows.count();
}

/** Reads records: each becomes a line of COPY, or none. */
function createRows(name: FileName, listed: string, expectedRows: number, reader: FileReader) {
  const { columns } = fileOf(name);
  const names = Object.keys(columns);
  let places: number[] | undefined;
  let width = 0;
  let count = 0;

  /** Where each column is in the file; the order is free. */
  function readHeader(header: string[]): void {
    const trimmed = header.map((one) => one.trim());
    if (trimmed.length === 1 && /[;\t]/.test(trimmed[0] ?? ""))
      throw new PackageRefused(trimmed[0]?.includes(";") ? "semicolons" : "tabs", { file: listed });
    const unknown = trimmed.find((one) => !names.includes(one));
    if (unknown !== undefined)
      throw new PackageRefused("unknown_column", { file: listed, column: JSON.stringify(unknown) });
    const twice = trimmed.find((one, index) => trimmed.indexOf(one) < index);
    if (twice !== undefined) throw new PackageRefused("column_twice", { file: listed, column: twice });
    const missing = names.find((one) => columns[one]?.required && !trimmed.includes(one));
    if (missing) throw new PackageRefused("no_column", { file: listed, column: missing });
    places = names.map((one) => trimmed.indexOf(one));
    width = trimmed.length;
  }

  function readRecord(record: string[], line: number): string | null {
    if (!places) {
      readHeader(record);
      return null;
    }
    count += 1;
    // A file that unpacks to more than it says stops here, however much follows.
    if (count > expectedRows) throw new PackageRefused("more_rows", { file: listed, expected: expectedRows });
    if (count % 10_000 === 0) reader.progress(count);
    const row: ReadRow = new Map();
    let taken = true;
    const refuse = (field: string | null, reason: Reason, wholeRow: boolean, value: string | null) => {
      taken &&= !wholeRow;
      const shown = value === null ? null : value.slice(0, shownValue);
      const sourceId = row.get("SourceId") ?? null;
      reader.reject({ file: `${name}.csv`, line, field, value: shown, reason, wholeRow, sourceId }, row);
    };
    if (record.length !== width) {
      refuse(null, "columns", true, record.join(","));
      return null;
    }
    // Every value is read before a row is rejected: what it is worth is reported with it.
    let bad: [field: string, reason: Reason, value: string] | undefined;
    for (const [index, field] of names.entries()) {
      const column = columns[field];
      const place = places[index] ?? -1;
      const value = (place < 0 ? "" : (record[place] ?? "")).trim();
      row.set(field, null);
      if (!column) continue;
      if (value === "") {
        if (column.required) bad ??= [field, "required", value];
        continue;
      }
      try {
        if (value.startsWith("=") && formula.test(value)) throw new BadValue("formula");
        row.set(field, typeOf(column).read(value, reader.context));
      } catch (error) {
        if (!(error instanceof BadValue)) throw error;
        if (column.optionalValue) refuse(field, error.reason, false, value);
        else bad ??= [field, error.reason, value];
      }
    }
    if (bad) refuse(bad[0], bad[1], true, bad[2]);
    const derived = taken
      ? reader.derive?.(row, (field, reason, wholeRow = true) =>
          refuse(field, reason, wholeRow, row.get(field) ?? null),
        )
      : undefined;
    if (!taken) return null;
    return copyLine([String(line), ...row.values(), ...(derived ?? [])]);
  }

  return { lines: new Lines(listed, readRecord), count: () => count };
}

/** Without its own numbering of lines, which halves its speed. Its longest record counts no separators: see CheckedText. */
const parser = () => parse({ bom: true, relax_column_count: true, max_record_size: maxRecordBytes });
/** A file is no longer than its rows: a small gzip may hold any number of empty lines. */
const maxEmptyLines = 10_000;

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function copyLine(values: (string | null)[]): string {
  let line = "";
  for (const [index, value] of values.entries()) {
    if (index > 0) line += "\t";
    if (value === null) line += "\\N";
    else line += special.test(value) ? value.replace(/[\\\t\n\r]/g, (one) => escapes[one] ?? one) : value;
  }
  return `${line}\n`;
}

/** Lines in blocks of 64 kB: a message to PostgreSQL for each line would take longer than the line. */
class Lines extends Transform {
  private waiting = "";
  /** That of the record that comes next. */
  private line = 1;
  private emptyLines = 0;
  private readonly listed: string;
  private readonly readRecord: (record: string[], line: number) => string | null;
  constructor(listed: string, read: (record: string[], line: number) => string | null) {
    super({ writableObjectMode: true });
    this.listed = listed;
    this.readRecord = read;
  }
  override _transform(record: string[], _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      const line = this.line;
      this.line += 1;
      for (const value of record) if (value.includes("\n")) this.line += value.split("\n").length - 1;
      // An empty line, as at the end of many files, is no row.
      if (record.length > 1 || record[0] !== "") this.waiting += this.readRecord(record, line) ?? "";
      else this.emptyLines += 1;
      if (this.emptyLines > maxEmptyLines) throw new PackageRefused("csv", { file: this.listed, line });
    } catch (error) {
      done(error as Error);
      return;
    }
    if (this.waiting.length < 65_536) done();
    else this._flush(done);
  }
  override _flush(done: TransformCallback): void {
    const block = this.waiting;
    this.waiting = "";
    done(null, block);
  }
}

/** Lets UTF-8 through and nothing else, and no line that a parser would have to hold as a million empty values. */
class CheckedText extends Transform {
  private readonly decoder = new TextDecoder("utf-8", { fatal: true });
  private lines = 1;
  /** Bytes of the line that the last chunk ended in. */
  private lineBytes = 0;
  private readonly listed: string;
  constructor(listed: string) {
    super();
    this.listed = listed;
  }
  private check(chunk: Buffer | undefined): void {
    try {
      this.decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new PackageRefused("encoding", { file: this.listed, line: this.lines });
    }
    if (chunk?.includes(0)) throw new PackageRefused("nul", { file: this.listed, line: this.lines });
  }
  private refuseLong(bytes: number): void {
    if (bytes > maxRecordBytes) throw new PackageRefused("long_row", { file: this.listed, line: this.lines });
  }
  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      this.check(chunk);
      let begin = -this.lineBytes;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
        this.refuseLong(at - begin);
        this.lines += 1;
        begin = at + 1;
      }
      this.lineBytes = chunk.length - begin;
      this.refuseLong(this.lineBytes);
      done(null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }
  override _flush(done: TransformCallback): void {
    try {
      this.check(undefined);
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}

const parserFailures: Record<string, FailureId> = {
  CSV_QUOTE_NOT_CLOSED: "quote_open",
  CSV_INVALID_CLOSING_QUOTE: "quote_followed",
  INVALID_OPENING_QUOTE: "quote_inside",
  CSV_MAX_RECORD_SIZE: "long_row",
};

/** What stopped the reading, where the file is the cause. */
function refusalOf(error: unknown, listed: string): PackageRefused | undefined {
  if (error instanceof PackageRefused) return error;
  if (error instanceof CsvError) {
    const { code, lines } = error as CsvError & { lines?: number };
    return new PackageRefused(parserFailures[code] ?? "csv", { file: listed, line: lines ?? "?" });
  }
  const code = String((error as { code?: unknown }).code ?? "");
  if (code === "ENOENT") return new PackageRefused("file_missing", { file: listed });
  if (code === "Z_BUF_ERROR") return new PackageRefused("cut_off", { file: listed });
  if (/^Z_/.test(code)) return new PackageRefused("gzip", { file: listed });
  return undefined;
}
