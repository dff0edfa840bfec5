import { and, asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { type Jobs, queueJob } from "#platform/jobs/jobs.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { inClientSpan, traceHeaders } from "#platform/tracing.server.ts";
import { deliverJob, disableEndpoint, stopDeliveries } from "#shop/webhooks/endpoints.server.ts";
import { createSecrets, type Message, type Secrets, signaturesOf } from "#shop/webhooks/secrets.server.ts";
import type { WebhookSettings } from "#shop/webhooks/settings.server.ts";
import { attempts, deliveries, endpoints, webhookEvents } from "#shop/webhooks/webhooks.tables.server.ts";
import { type Answer, post } from "./post.server.ts";

/** How long after each failed attempt the next one is made. After the last the delivery is a dead letter. */
export const retrySeconds = [5, 5 * 60, 30 * 60, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600)];
const longestWaitSeconds = 24 * 3_600;
/** Receivers that failed together are not called again together. */
const jitter = 0.1;

/** How many deliveries of one endpoint are under way at once. */
const together = 8;
/** Longer than a round of deliveries takes; after a kill another process goes on when it has ended. */
const leaseSeconds = 60;
/** A job that has so much to send hands over to another, so that other jobs have their turn. */
const turnSeconds = 30;

const Payload = z.object({ endpoint: z.int() });

/**
 * Sends what is due for an endpoint. One job at a time sends to an endpoint, so a slow receiver takes one worker, however
 * many events wait for it. An attempt is made before it is recorded: after a kill in between, the same message, with the
 * same `webhook-id`, is sent again, and none is lost. The time is the database's and the machine's own, as in the queue.
 */
export function deliveryJobs(settings: WebhookSettings): Jobs {
  const secrets = createSecrets(settings);

  async function attempt(database: Database, due: Due): Promise<void> {
    const at = new Date();
    const url = new URL(due.endpoint.url);
    const { headers, body } = messageOf(due, secrets, at);
    const answer = await inClientSpan({ method: "POST", url }, () =>
      post(url, { headers: { ...headers, ...traceHeaders() }, body }, { sandbox: settings.sandbox }),
    );
    await database.transaction((tx) => record(tx, due, { at, answer }));
  }

  return {
    async [deliverJob](payload, database) {
      const { endpoint: id } = Payload.parse(payload);
      const endsAt = performance.now() + turnSeconds * 1_000;
      // Looked for again after each lease: what came while it was held was left to its holder.
      while ((await findDue(database, id)).length > 0) {
        if (performance.now() > endsAt) return queueJob(database, deliverJob, { endpoint: id });
        const lease = await takeLease(database, id);
        if (!lease) return waitForLease(database, id);
        try {
          const sent = await Promise.allSettled((await findDue(database, id)).map((due) => attempt(database, due)));
          for (const one of sent) if (one.status === "rejected") throw one.reason;
        } finally {
          // Only this lease: if it has ended, another job may hold one by now.
          const own = and(eq(endpoints.id, id), eq(endpoints.busyUntil, lease));
          await database.update(endpoints).set({ busyUntil: null }).where(own);
        }
      }
    },
  };
}

/** The oldest deliveries that are due. What was written while its endpoint was being disabled is stopped here. */
async function findDue(database: Database, endpointId: number) {
  const waiting = and(eq(deliveries.endpointId, endpointId), eq(deliveries.state, "waiting"));
  const due = await database
    .select({ delivery: deliveries, event: webhookEvents, endpoint: endpoints })
    .from(deliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, deliveries.eventId))
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
    .where(and(waiting, sql`${deliveries.nextAt} <= now()`))
    .orderBy(asc(deliveries.nextAt), asc(deliveries.id))
    .limit(together);
  // What is due waits on while its endpoint is paused.
  if (due[0]?.endpoint.pausedAt && !due[0].endpoint.disabledAt) return [];
  if (!due[0]?.endpoint.disabledAt) return due;
  await stopDeliveries(database, endpointId);
  return [];
}

type Due = Awaited<ReturnType<typeof findDue>>[number];

/** Takes a lease on the endpoint, if no other job holds one. Returns its end, to the millisecond, which identifies it. */
async function takeLease(database: Database, id: number): Promise<Date | undefined> {
  const [taken] = await database
    .update(endpoints)
    .set({ busyUntil: sql`date_trunc('milliseconds', now() + make_interval(secs => ${leaseSeconds}))` })
    .where(and(eq(endpoints.id, id), sql`(${endpoints.busyUntil} is null or ${endpoints.busyUntil} <= now())`))
    .returning({ until: endpoints.busyUntil });
  return taken?.until ?? undefined;
}

/** The holder sends what is due; if it was killed, this job does when the lease has ended. One such job is enough. */
async function waitForLease(database: Database, id: number): Promise<void> {
  const runAt = new Date(Date.now() + leaseSeconds * 1_000);
  await queueJob(database, deliverJob, { endpoint: id }, { key: `webhook:${id}`, runAt });
}

/** The same body at every attempt; the timestamp is the attempt's, because receivers refuse old ones. */
function messageOf({ event, endpoint }: Due, secrets: Secrets, at: Date) {
  const { id, type, payload, sequence } = event;
  const body = JSON.stringify({
    type,
    timestamp: event.at.toISOString(),
    data: { IdEvent: id, Sequence: sequence, ...payload },
  });
  const message: Message = { id: `evt_${id}`, timestamp: Math.floor(at.getTime() / 1_000), body };
  const previous = endpoint.previousEndsAt && endpoint.previousEndsAt > at ? endpoint.previousSecret : null;
  const signing = [endpoint.secret, ...(previous ? [previous] : [])].map((sealed) => secrets.open(sealed));
  return {
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "cercle-webhooks/1",
      "webhook-id": message.id,
      "webhook-timestamp": String(message.timestamp),
      "webhook-signature": signaturesOf(signing, message),
    },
  };
}

type Outcome = { state: "delivered" | "dead" | "stopped" } | { state: "waiting"; nextAt: Date };

function outcomeOf({ status, retryAfter }: Answer, attempt: number, at: Date): Outcome {
  if (status !== null && status >= 200 && status < 300) return { state: "delivered" };
  if (status === 410) return { state: "stopped" };
  const seconds = retrySeconds[attempt];
  if (seconds === undefined) return { state: "dead" };
  const wait = Math.max(seconds * (1 + Math.random() * jitter), secondsOf(retryAfter, at));
  return { state: "waiting", nextAt: new Date(at.getTime() + wait * 1_000) };
}

/** Of a Retry-After in seconds or as a date; at most a day. */
function secondsOf(retryAfter: string | undefined, at: Date): number {
  if (retryAfter === undefined) return 0;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (new Date(retryAfter).getTime() - at.getTime()) / 1_000;
  return Number.isNaN(seconds) ? 0 : Math.min(seconds, longestWaitSeconds);
}

/** Writes the attempt down, with what follows from it. */
async function record(tx: Queries, due: Due, { at, answer }: { at: Date; answer: Answer }): Promise<void> {
  const { delivery, endpoint, event } = due;
  const { status, error, milliseconds, text } = answer;
  await tx.insert(attempts).values({ deliveryId: delivery.id, at, status, error, milliseconds, answer: text });
  const outcome = outcomeOf(answer, delivery.attempts, at);
  const nextAt = outcome.state === "waiting" ? outcome.nextAt : null;
  const made = delivery.attempts + 1;
  const [updated] = await tx
    .update(deliveries)
    .set({ state: outcome.state, attempts: made, nextAt })
    .where(and(eq(deliveries.id, delivery.id), eq(deliveries.attempts, delivery.attempts)))
    .returning({ id: deliveries.id });
  // Sent again by hand meanwhile: that is another delivery's beginning.
  if (!updated) return;
  if (nextAt) await queueJob(tx, deliverJob, { endpoint: endpoint.id }, { runAt: nextAt });
  if (outcome.state === "stopped") {
    await disableEndpoint(tx, endpoint.id, "gone", at);
    await tellOwner(tx, due, `webhook-gone:${endpoint.id}:${at.getTime()}`, [
      "It answered 410 (Gone), so it was disabled: no more events are sent to it.",
    ]);
  }
  // One email a day: an endpoint that is down for days fails for every event.
  if (outcome.state === "dead")
    await tellOwner(tx, due, `webhook-dead:${endpoint.id}:${at.toISOString().slice(0, 10)}`, [
      `The event ${event.id} (${event.type}) was not accepted in ${made} attempts and is not sent any more. Others of the same day may have failed too.`,
      "GET shop/event reads the events of the last 30 days; we can also send them again.",
    ]);
}

/** To a partner's engineer, in English. The origin alone: the rest of the address may hold a secret. */
async function tellOwner(tx: Queries, { endpoint }: Due, cause: string, paragraphs: string[]): Promise<void> {
  const { origin } = new URL(endpoint.url);
  await queueMail(tx, {
    cause,
    to: endpoint.ownerEmail,
    locale: "en",
    content: {
      subject: `Webhooks to ${origin} fail`,
      preheader: `Endpoint ${endpoint.id}`,
      title: "Your webhook endpoint",
      paragraphs: [`This is about endpoint ${endpoint.id} at ${origin}.`, ...paragraphs],
    },
  });
}
