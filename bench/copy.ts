import type pg from "pg";

/** The methods that pg calls on a query object; its types do not cover COPY. */
interface EndpointName {
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
      submit: (fieldTypes: EndpointName) => fieldTypes.query(`copy ${table} (${columns}) from stdin`),
      handleCopyInResponse: (fieldTypes: EndpointName) =>
        void send(fieldTypes, rows).catch((error) => fieldTypes.sendCopyFail(String(error))),
      handleCommandComplete() {},
      handleError(error: Error) {
        failed = error;
      },
      handleReadyForQuery: () => (failed ? reject(failed) : resolve()),
    };
    client.query(query as unknown as pg.Submittable);
  });
}

async function send(fieldTypes: EndpointName, rows: Rows): Promise<void> {
  let chunk = "";
  for (const row of rows) {
    chunk += `${row.map((value) => value ?? "\\N").join("\t")}\n`;
    if (chunk.length < chunkLength) continue;
    fieldTypes.sendCopyFromChunk(Buffer.from(chunk));
    chunk = "";
    if (fieldTypes.stream.writableNeedDrain)
      await new Promise<void>((resolve) => fieldTypes.stream.once("drain", resolve));
  }
  fieldTypes.sendCopyFromChunk(Buffer.from(chunk));
  fieldTypes.endCopyFrom();
}
