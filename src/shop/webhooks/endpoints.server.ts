import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { newSecret, type Secrets } from "./secrets.server.ts";
import { deliveries, endpoints } from "./webhooks.tables.server.ts";

/** How long the old secret signs beside the new one. */
const rotationDays = 7;

/** Adds an endpoint and returns its secret: only now can it be read. */
export async function addEndpoint(
  queries: Queries,
  secrets: Secrets,
  { url, ownerEmail, now }: { url: URL; ownerEmail: string; now: Date },
): Promise<{ id: number; secret: string }> {
  const secret = newSecret();
  const [added] = await queries
    .insert(endpoints)
    .values({ url: url.href, secret: secrets.seal(secret), ownerEmail, createdAt: now })
    .returning({ id: endpoints.id });
  if (!added) throw new Error("The endpoint was not written.");
  return { id: added.id, secret };
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
    .where(and(eq(endpoints.id, id), isNull(endpoints.disabledAt)))
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
    .where(and(eq(endpoints.id, id), isNull(endpoints.disabledAt)))
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
      disabledAt: endpoints.disabledAt,
      disabledBecause: endpoints.disabledBecause,
      waiting: sql<number>`(select count(*)::integer from webhook_delivery d
        where d.endpoint_id = "webhook_endpoint"."id" and d.state = 'waiting')`,
      dead: sql<number>`(select count(*)::integer from webhook_delivery d
        where d.endpoint_id = "webhook_endpoint"."id" and d.state = 'dead')`,
    })
    .from(endpoints)
    .orderBy(asc(endpoints.id));
}

/** Sends events again, or for the first time, to every endpoint; returns how many deliveries began. */
export async function resendEvents(queries: Queries, first: number, last: number): Promise<number> {
  const { rows } = await queries.execute<{ sent: number }>(sql`
    select coalesce(sum(webhook_send(id)), 0)::integer as sent from webhook_event where id between ${first} and ${last}`);
  return rows[0]?.sent ?? 0;
}
