import type pg from "pg";

/** The methods that pg calls on a query object; its types do not cover COPY. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
  stream: { writableNeedDrain: boolean; once(event: "drain", listener: () => void): void };
}

const chunkLength = 1 << 16;

/** Rows of plain values that need no escaping in COPY's text format; generated as the server reads them. */
type Rows = Iterable<readonly (string | number | null)[]>;

export function copyInto(client: pg.PoolClient, table: string, columns: string, rows: Rows) {
  return new Promise<void>((resolve, reject) => {
    let failed: Error | undefined;
    const query = {
      submit: (wire: Wire) => wire.query(`copy ${table} (${columns}) from stdin`),
      handleCopyInResponse: (wire: Wire) => void send(wire, rows).catch((error) => wire.sendCopyFail(String(error))),
      handleCommandComplete() {},
      handleError(error: Error) {
        failed = error;
      },
      handleReadyForQuery: () => (failed ? reject(failed) : resolve()),
    };
    client.query(query as unknown as pg.Submittable);
  });
}

async function send(wire: Wire, rows: Rows): Promise<void> {
  let chunk = "";
  for (const row of rows) {
    chunk += `${row.map((value) => value ?? "\\N").join("\t")}\n`;
    if (chunk.length < chunkLength) continue;
    wire.sendCopyFromChunk(Buffer.from(chunk));
    chunk = "";
    if (wire.stream.writableNeedDrain) await new Promise<void>((resolve) => wire.stream.once("drain", resolve));
  }
  wire.sendCopyFromChunk(Buffer.from(chunk));
  wire.endCopyFrom();
}
