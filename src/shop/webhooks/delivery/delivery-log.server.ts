import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { attempts, deliveries, endpoints, webhookEvents } from "#shop/webhooks/webhooks.tables.server.ts";

/** Deliveries by how they stand; those that are tried again count as failed. */
export const shownDeliveries = ["all", "failed", "waiting", "delivered", "stopped"] as const;
export type ShownDeliveries = (typeof shownDeliveries)[number];

/** Where a page of the log ends: those that failed come first. */
export interface LogPlace {
  failed: boolean;
  id: number;
}

interface Row extends Record<string, unknown> {
  id: string;
  failed: boolean;
  event_id: string;
  type: string;
  event_at: Date;
  endpoint_id: number;
  url: string;
  state: "waiting" | "delivered" | "dead" | "stopped";
  attempts: number;
  next_at: Date | null;
  tried_at: Date | null;
  status: number | null;
  error: string | null;
  milliseconds: number | null;
}

/** As in the index webhook_delivery_failed. */
const isFailed = sql`(d.state = 'dead' or d.state = 'waiting' and d.attempts > 0)`;

/** The log of deliveries: those that failed first, then the others, the newest first in each. */
export async function readLog(
  queries: Queries,
  asked: { endpointId?: number | undefined; show: ShownDeliveries; after?: LogPlace | undefined; limit: number },
) {
  const { endpointId, show, after, limit } = asked;
  const ofEndpoint = endpointId === undefined ? sql`true` : sql`d.endpoint_id = ${endpointId}`;
  const ofState = show === "all" || show === "failed" ? sql`true` : sql`d.state = ${show}`;
  const part = (failed: boolean): SQL => sql`(
    select d.*, ${sql.raw(String(failed))} as failed from webhook_delivery d
    where ${failed ? isFailed : sql`not ${isFailed} and ${ofState}`} and ${ofEndpoint}
      and ${after?.failed === failed ? sql`d.id < ${after.id}` : sql`true`}
    order by d.id desc limit ${limit})`;
  const parts = [
    ...(show === "all" || show === "failed" ? (after && !after.failed ? [] : [part(true)]) : []),
    ...(show === "failed" ? [] : [part(false)]),
  ];
  const { rows } = await queries.execute<Row>(sql`
    select d.id, d.failed, d.event_id, v.type, v.at as event_at, d.endpoint_id, e.url, d.state, d.attempts, d.next_at,
      a.at as tried_at, a.status, a.error, a.milliseconds
    from (${sql.join(parts, sql` union all `)}) d
    join webhook_event v on v.id = d.event_id
    join webhook_endpoint e on e.id = d.endpoint_id
    left join lateral (
      select * from webhook_attempt t where t.delivery_id = d.id order by t.id desc limit 1) a on true
    order by d.failed desc, d.id desc limit ${limit}`);
  return rows.map((row) => ({ ...row, id: Number(row.id), event_id: Number(row.event_id) }));
}

/** About how long the log is, by the planner's statistics: counting it would read it all. */
export async function estimateLog(queries: Queries, endpointId: number | undefined): Promise<number> {
  const ofEndpoint = endpointId === undefined ? sql`true` : sql`endpoint_id = ${endpointId}`;
  const { rows } = await queries.execute<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    sql`explain (format json) select from webhook_delivery where ${ofEndpoint}`,
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}

/** One delivery with what was sent and what was answered. */
export async function readDelivery(queries: Queries, id: number) {
  const [found] = await queries
    .select({ delivery: deliveries, event: webhookEvents, url: endpoints.url })
    .from(deliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, deliveries.eventId))
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
    .where(eq(deliveries.id, id));
  if (!found) return undefined;
  const made = await queries.select().from(attempts).where(eq(attempts.deliveryId, id)).orderBy(asc(attempts.id));
  return { ...found, attempts: made };
}
