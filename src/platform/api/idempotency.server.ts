import { createHash } from "node:crypto";
import { and, eq, lt, ne, sql } from "drizzle-orm";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Fields } from "./fields.server.ts";
import { storedResponses } from "./idempotency.tables.server.ts";

/** Where a form without script carries the key. */
export const keyField = "IdempotencyKey";
const keyLength = 255;
/** The contract promises 24 hours. */
const keptHours = 48;

export interface KeyedCall {
  customerId: number;
  call: string;
  key: string;
  bodyHash: Buffer;
}

/** The key of a request: its header, else its hidden field. The field is no part of the body that is compared. */
export function readKey(request: Request, fields: Fields): string | undefined {
  const key = request.headers.get("idempotency-key") || fields[keyField];
  delete fields[keyField];
  if (key === undefined) return undefined;
  if (key.length > keyLength) throw new Refusal("invalid", { errors: [{ field: keyField, code: "too_long" }] });
  return key;
}

/** The same fields in another order, or in another encoding, are the same body. */
export function hashBody(fields: Fields): Buffer {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest();
}

/**
 * Gives the same key the same answer, with one effect. The key is claimed and its answer kept in the transaction
 * of the effect itself, so a crash leaves both or neither; of two at once the second waits for the first.
 * Only successes are kept: a refusal rolls back with everything it wrote, so the call may be corrected and sent again.
 */
export async function answerOnce(
  database: Database,
  call: KeyedCall,
  answer: (queries: Queries) => Promise<Response>,
): Promise<Response> {
  const { customerId, key, bodyHash } = call;
  const mine = and(
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
        // The release before this one kept refusals too; beside it, or after it, they are no answer.
        setWhere: ne(storedResponses.status, 200),
      })
      .returning({ key: storedResponses.key })
      .prepare("idempotency_claim")
      .execute();
    if (claimed.length === 0) {
      const [kept] = await tx.select().from(storedResponses).where(mine);
      // Forgotten between the two statements: it was older than the promise, and the client may try again.
      if (!kept) throw new Refusal("unavailable", { retryAfterSeconds: 1 });
      if (!kept.bodyHash.equals(bodyHash)) throw new Refusal("key_reused");
      return replay(kept.language ?? "", kept.answer ?? "");
    }
    const given = await answer(tx);
    const words = await given.text();
    const language = given.headers.get("content-language") ?? "";
    await tx
      .update(storedResponses)
      .set({ status: given.status, language, answer: words })
      .where(mine)
      .prepare("idempotency_keep")
      .execute();
    return new Response(words, { status: given.status, headers: given.headers });
  });
}

function replay(language: string, words: string): Response {
  return new Response(words, {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-language": language,
      "cache-control": "no-store",
    },
  });
}

/** An erased customer's answers go too: they hold a card number and the like. */
export async function forgetAnswers(queries: Queries, customerId: number): Promise<void> {
  await queries.delete(storedResponses).where(eq(storedResponses.customerId, customerId));
}

const forgetJob = "api:forget-answers";

/** In UTC. */
export const idempotencySchedule = [{ name: forgetJob, pattern: "30 2 * * *" }];

export const idempotencyJobs: Jobs = {
  /** Nobody can still be repeating these. */
  async [forgetJob](_, database) {
    await database
      .delete(storedResponses)
      .where(lt(storedResponses.createdAt, sql`now() - make_interval(hours => ${keptHours})`));
  },
};
