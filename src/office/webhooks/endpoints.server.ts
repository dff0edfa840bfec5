import { entryOf, type When } from "#office/audit.server.ts";
import type { OfficeCaller } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { refusesUrl } from "#shop/webhooks/delivery/addresses.server.ts";
import { listEndpoints as readEndpoints, addEndpoint as writeEndpoint } from "#shop/webhooks/endpoints.server.ts";
import type { EventType } from "#shop/webhooks/event-types.ts";
import type { Secrets } from "#shop/webhooks/secrets.server.ts";
import { type AuditEntry, writeAudit } from "#staff/audit.server.ts";

export async function listEndpoints(queries: Queries, now: Date) {
  const all = await readEndpoints(queries);
  return {
    Endpoints: all.map((endpoint) => ({
      IdEndpoint: endpoint.id,
      Url: endpoint.url,
      OwnerEmail: endpoint.ownerEmail,
      Events: endpoint.events,
      State: stateOf(endpoint),
      CreatedAt: endpoint.createdAt.toISOString(),
      PreviousSecretEndsAt:
        endpoint.previousEndsAt && endpoint.previousEndsAt > now ? endpoint.previousEndsAt.toISOString() : null,
      Waiting: endpoint.waiting,
      Dead: endpoint.dead,
    })),
  };
}

function stateOf({ disabledBecause, pausedAt }: { disabledBecause: "owner" | "gone" | null; pausedAt: Date | null }) {
  if (disabledBecause) return disabledBecause === "gone" ? ("gone" as const) : ("removed" as const);
  return pausedAt ? ("paused" as const) : ("active" as const);
}

/** Adds an endpoint; its secret can be read only now. */
export async function addEndpoint(
  { database, secrets, sandbox }: { database: Database; secrets: Secrets; sandbox: boolean },
  caller: OfficeCaller,
  asked: { Url: string; OwnerEmail: string; Events?: EventType[] | undefined },
  { now, requestId }: When,
) {
  const url = URL.canParse(asked.Url) ? new URL(asked.Url) : undefined;
  if (!url || refusesUrl(url, { sandbox }))
    throw new Refusal("invalid", { errors: [{ field: "Url", code: "invalid" }] });
  return database.transaction(async (tx) => {
    const { OwnerEmail: ownerEmail, Events: events } = asked;
    const { id, secret } = await writeEndpoint(tx, secrets, { url, ownerEmail, events, now });
    // The origin alone: the rest of the address may hold a secret.
    const after = { endpoint: id, origin: url.origin, events: events ?? "all" };
    await writeAudit(tx, entryOf(caller, { action: "webhook_added", after, requestId, at: now }));
    return { IdEndpoint: id, Secret: secret };
  });
}

type WebhookEntry = Pick<AuditEntry, "action" | "before" | "after">;

/** Changes what is there, and writes the audit log; refused where there is nothing to change. */
export async function changeWebhook<T>(
  database: Database,
  caller: OfficeCaller,
  entry: WebhookEntry | ((done: T) => WebhookEntry),
  { now, requestId }: When,
  change: (tx: Queries) => Promise<T | undefined | false | 0>,
): Promise<T> {
  return database.transaction(async (tx) => {
    const done = await change(tx);
    if (!done) throw new Refusal("not_found");
    const said = typeof entry === "function" ? entry(done) : entry;
    await writeAudit(tx, entryOf(caller, { ...said, requestId, at: now }));
    return done;
  });
}
