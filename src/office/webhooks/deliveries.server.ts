import type { Locale } from "#i18n/locale.ts";
import { csvResponse } from "#platform/api/csv.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import {
  estimateLog,
  type LogPlace,
  readLog,
  readDelivery as readOne,
  type ShownDeliveries,
} from "#shop/webhooks/delivery/delivery-log.server.ts";

const pageRows = 50;

const textOf = (moment: Date | null) => (moment === null ? null : new Date(moment).toISOString());

/** The log of deliveries, page by page. */
export async function listDeliveries(
  queries: Queries,
  asked: { IdEndpoint?: number | undefined; Show: ShownDeliveries; Cursor?: string | undefined },
) {
  const { IdEndpoint: endpointId, Show: show, Cursor } = asked;
  const [rank, id] = Cursor?.split(".") ?? [];
  const after = Cursor === undefined ? undefined : { failed: rank === "0", id: Number(id) };
  const rows = await readLog(queries, { endpointId, show, after, limit: pageRows + 1 });
  const page = rows.slice(0, pageRows);
  const last = page.at(-1);
  return {
    Deliveries: page.map((row) => ({
      IdDelivery: row.id,
      IdEvent: row.event_id,
      Type: row.type,
      EventAt: new Date(row.event_at).toISOString(),
      IdEndpoint: row.endpoint_id,
      Url: row.url,
      State: row.state,
      Failed: row.failed,
      Attempts: row.attempts,
      NextAt: textOf(row.next_at),
      TriedAt: textOf(row.tried_at),
      Status: row.status,
      Error: row.error,
      Milliseconds: row.milliseconds,
    })),
    NextCursor: last && rows.length > pageRows ? `${last.failed ? 0 : 1}.${last.id}` : null,
  };
}

const csvPageRows = 500;
const csvColumns = [
  ...["IdDelivery", "IdEvent", "Type", "EventAt", "IdEndpoint", "Url", "State"],
  ...["Attempts", "TriedAt", "Status", "Error", "Milliseconds"],
];

/** The same log as a file, sent while it is read. */
export async function deliveriesAsCsv(
  queries: Queries,
  { IdEndpoint: endpointId, Show: show }: { IdEndpoint?: number | undefined; Show: ShownDeliveries },
  locale: Locale,
): Promise<Response> {
  async function* pages() {
    for (let after: LogPlace | undefined; ; ) {
      const rows = await readLog(queries, { endpointId, show, after, limit: csvPageRows });
      yield rows.map((row) => [
        ...[row.id, row.event_id, row.type, textOf(row.event_at), row.endpoint_id, row.url, row.state],
        ...[row.attempts, textOf(row.tried_at), row.status, row.error, row.milliseconds],
      ]);
      after = rows.at(-1);
      if (!after || rows.length < csvPageRows) return;
    }
  }
  const estimatedRows = await estimateLog(queries, endpointId);
  return csvResponse({ fileName: "deliveries.csv", locale, columns: csvColumns, estimatedRows, pages: pages() });
}

export async function readDelivery(queries: Queries, id: number) {
  const found = await readOne(queries, id);
  if (!found) throw new Refusal("not_found");
  const { delivery, event, url, attempts } = found;
  return {
    IdDelivery: delivery.id,
    IdEvent: event.id,
    Type: event.type,
    Url: url,
    State: delivery.state,
    NextAt: delivery.nextAt?.toISOString() ?? null,
    Payload: event.payload,
    Attempts: attempts.map(({ at, status, error, milliseconds, answer }) => ({
      At: at.toISOString(),
      Status: status,
      Error: error,
      Milliseconds: milliseconds,
      Answer: answer,
    })),
  };
}
