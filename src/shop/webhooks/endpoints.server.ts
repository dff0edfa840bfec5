import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { queueJob } from "#platform/jobs/jobs.server.ts";
import { type EventType, testEvent } from "./event-types.ts";
import { newSecret, type Secrets } from "./secrets.server.ts";
import { deliveries, endpoints } from "./webhooks.tables.server.ts";

/** Queued by db/functions/webhook_send.sql too. */
export const deliverJob = "shop:webhook";

/** How long the old secret signs beside the new one. */
export const rotationDays = 7;

/** Adds an endpoint and returns its secret: only now can it be read. */
export async function addEndpoint(
  queries: Queries,
  secrets: Secrets,
  { url, ownerEmail, events, now }: { url: URL; ownerEmail: string; events?: EventType[] | undefined; now: Date },
): Promise<{ id: number; secret: string }> {
  const secret = newSecret();
  const [added] = await queries
    .insert(endpoints)
    .values({ url: url.href, secret: secrets.seal(secret), ownerEmail, events: events ?? null, createdAt: now })
    .returning({ id: endpoints.id });
  if (!added) throw new Error("The endpoint was not written.");
  return { id: added.id, secret };
}

/** An endpoint that is not disabled. */
const enabled = (id: number) => and(eq(endpoints.id, id), isNull(endpoints.disabledAt));

/** Which events it is sent from now on; undefined: every one. What waits for it is sent all the same. */
export async function chooseEvents(queries: Queries, id: number, events: EventType[] | undefined) {
  const [endpoint] = await queries
    .select({ before: endpoints.events })
    .from(endpoints)
    .where(enabled(id))
    .for("update");
  if (endpoint)
    await queries
      .update(endpoints)
      .set({ events: events ?? null })
      .where(enabled(id));
  return endpoint;
}

/** Nothing is sent to it until it is resumed; events wait. Whether it was enabled and not paused. */
export async function pauseEndpoint(queries: Queries, id: number, now: Date): Promise<boolean> {
  const paused = await queries
    .update(endpoints)
    .set({ pausedAt: now })
    .where(and(enabled(id), isNull(endpoints.pausedAt)))
    .returning({ id: endpoints.id });
  return paused.length > 0;
}

/** What has waited is sent now. Whether it was paused. */
export async function resumeEndpoint(queries: Queries, id: number): Promise<boolean> {
  const resumed = await queries
    .update(endpoints)
    .set({ pausedAt: null })
    .where(and(enabled(id), isNotNull(endpoints.pausedAt)))
    .returning({ id: endpoints.id });
  if (resumed.length > 0) await queueJob(queries, deliverJob, { endpoint: id });
  return resumed.length > 0;
}

/** An event that says nothing but that it is a test, for one endpoint. Undefined for one that is not there or disabled. */
export async function sendTest(queries: Queries, id: number): Promise<number | undefined> {
  const { rows } = await queries.execute<{ event_id: string }>(sql`
    with enabled as (select id from webhook_endpoint where id = ${id} and disabled_at is null), event as (
      insert into webhook_event (type, payload)
      select ${testEvent}, jsonb_build_object('IdEndpoint', id) from enabled returning id
    )
    insert into webhook_delivery (event_id, endpoint_id) select event.id, enabled.id from event, enabled
    returning event_id`);
  if (!rows[0]) return undefined;
  await queueJob(queries, deliverJob, { endpoint: id });
  return Number(rows[0].event_id);
}

/** A new secret; both sign for a week. Undefined for an endpoint that is not there or disabled. */
export async function rotateSecret(
  queries: Queries,
  secrets: Secrets,
  id: number,
  now: Date,
): Promise<string | undefined> {
  const secret = newSecret();
  const rotated = await queries
    .update(endpoints)
    .set({
      secret: secrets.seal(secret),
      previousSecret: sql`${endpoints.secret}`,
      previousEndsAt: new Date(now.getTime() + rotationDays * 24 * 3_600_000),
    })
    .where(enabled(id))
    .returning({ id: endpoints.id });
  return rotated.length > 0 ? secret : undefined;
}

/** Ends what waits for an endpoint that is disabled. */
export async function stopDeliveries(queries: Queries, endpointId: number): Promise<void> {
  await queries
    .update(deliveries)
    .set({ state: "stopped", nextAt: null })
    .where(and(eq(deliveries.endpointId, endpointId), eq(deliveries.state, "waiting")));
}

/** Whether there was such an endpoint, not yet disabled. */
export async function disableEndpoint(
  queries: Queries,
  id: number,
  because: "owner" | "gone",
  now: Date,
): Promise<boolean> {
  const disabled = await queries
    .update(endpoints)
    .set({ disabledAt: now, disabledBecause: because })
    .where(enabled(id))
    .returning({ id: endpoints.id });
  await stopDeliveries(queries, id);
  return disabled.length > 0;
}

export async function listEndpoints(queries: Queries) {
  return queries
    .select({
      id: endpoints.id,
      url: endpoints.url,
      ownerEmail: endpoints.ownerEmail,
      events: endpoints.events,
      createdAt: endpoints.createdAt,
      pausedAt: endpoints.pausedAt,
      previousEndsAt: endpoints.previousEndsAt,
      disabledAt: endpoints.disabledAt,
      disabledBecause: endpoints.disabledBecause,
      waiting: sql<number>`(select count(*)::integer from webhook_delivery d
        where d.endpoint_id = "webhook_endpoint"."id" and d.state = 'waiting')`,
      dead: sql<number>`(select count(*)::integer from webhook_delivery d
        where d.endpoint_id = "webhook_endpoint"."id" and d.state = 'dead')`,
    })
    .from(endpoints)
    .orderBy(sql`${endpoints.disabledAt} is not null`, asc(endpoints.id));
}

/** Sends events again, or for the first time, to every endpoint; returns how many deliveries began. */
export async function resendEvents(queries: Queries, first: number, last: number): Promise<number> {
  const { rows } = await queries.execute<{ sent: number }>(sql`
    select coalesce(sum(webhook_send(id)), 0)::integer as sent from webhook_event
    where id between ${first} and ${last} and type <> ${testEvent}`);
  return rows[0]?.sent ?? 0;
}

/** Sends one delivery again, or every dead letter of an endpoint; returns how many began. */
export async function resendDeliveries(
  queries: Queries,
  which: { deliveryId: number } | { endpointId: number },
): Promise<number> {
  const chosen =
    "deliveryId" in which
      ? eq(deliveries.id, which.deliveryId)
      : and(eq(deliveries.endpointId, which.endpointId), eq(deliveries.state, "dead"));
  const begun = await queries
    .update(deliveries)
    .set({ state: "waiting", attempts: 0, nextAt: sql`now()` })
    .where(
      and(
        chosen,
        sql`exists (select from webhook_endpoint e where e.id = ${deliveries.endpointId} and e.disabled_at is null)`,
      ),
    )
    .returning({ endpointId: deliveries.endpointId });
  const [first] = begun;
  if (first) await queueJob(queries, deliverJob, { endpoint: first.endpointId });
  return begun.length;
}
