import { createHash } from "node:crypto";
import { and, eq, lt, ne, sql } from "drizzle-orm";
import type { Fields } from "#platform/api/fields.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { storedResponses } from "./idempotency.tables.server.ts";

/** The hidden field that carries the key where the browser runs no script. */
const keyField = "IdempotencyKey";
const keyLengthLimit = 255;
/** The contract promises 24 hours. */
const storedHours = 48;

export interface KeyedCall {
  /** The customer's id; of staff the negative of theirs. */
  ownerId: number;
  call: string;
  key: string;
  bodyHash: Buffer;
}

/** The key of a request: its header, else its hidden field. The field is no part of the body that is compared. */
export function readIdempotencyKey(request: Request, fields: Fields): string | undefined {
  const key = request.headers.get("idempotency-key") || fields[keyField];
  delete fields[keyField];
  if (key === undefined) return undefined;
  if (key.length > keyLengthLimit) throw new Refusal("invalid", { errors: [{ field: keyField, code: "too_long" }] });
  return key;
}

/** The same fields in another order, or in another encoding, are the same body. */
export function hashBody(fields: Fields): Buffer {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest();
}

/**
 * Idempotency: the same key gets the same response, with one effect. The key is claimed and its response stored in the
 * transaction of the effect itself, so a crash leaves both or neither; of two at once the second waits for the first.
 * Only successes are stored: a refusal rolls back with everything it wrote, so the call may be corrected and sent again.
 */
export async function respondIdempotently(
  database: Database,
  call: KeyedCall,
  respond: (queries: Queries) => Promise<Response>,
): Promise<Response> {
  const { ownerId: customerId, key, bodyHash } = call;
  const sameKey = and(
    eq(storedResponses.customerId, customerId),
    eq(storedResponses.call, call.call),
    eq(storedResponses.key, key),
  );
  return database.transaction(async (tx) => {
    const claimed = await tx
      .insert(storedResponses)
      .values({ customerId, call: call.call, key, bodyHash })
      .onConflictDoUpdate({
        target: [storedResponses.customerId, storedResponses.call, storedResponses.key],
        set: { bodyHash, createdAt: sql`now()` },
        // An earlier release stored refusals too; they are not replayed.
        setWhere: ne(storedResponses.status, 200),
      })
      .returning({ key: storedResponses.key })
      .prepare("idempotency_claim")
      .execute();
    if (claimed.length === 0) {
      const [stored] = await tx.select().from(storedResponses).where(sameKey);
      // Deleted between the two statements because it was too old: the client may retry.
      if (!stored) throw new Refusal("unavailable", { retryAfterSeconds: 1 });
      if (!stored.bodyHash.equals(bodyHash)) throw new Refusal("key_reused");
      return replay(stored.language ?? "", stored.body ?? "");
    }
    const response = await respond(tx);
    const body = await response.text();
    const language = response.headers.get("content-language") ?? "";
    await tx
      .update(storedResponses)
      .set({ status: response.status, language, body })
      .where(sameKey)
      .prepare("idempotency_keep")
      .execute();
    return new Response(body, { status: response.status, headers: response.headers });
  });
}

function replay(language: string, body: string): Response {
  return new Response(body, {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-language": language,
      "cache-control": "no-store",
    },
  });
}

/** For an erasure: stored responses hold personal data, a card number for example. */
export async function deleteStoredResponses(queries: Queries, customerId: number): Promise<void> {
  await queries.delete(storedResponses).where(eq(storedResponses.customerId, customerId));
}

const cleanUpJob = "api:forget-answers";

/** In UTC. */
export const idempotencySchedule = [{ name: cleanUpJob, pattern: "30 2 * * *" }];

export const idempotencyJobs: Jobs = {
  /** Deletes responses too old for a client to be still retrying. */
  async [cleanUpJob](_, database) {
    await database
      .delete(storedResponses)
      .where(lt(storedResponses.createdAt, sql`now() - make_interval(hours => ${storedHours})`));
  },
};
