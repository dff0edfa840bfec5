import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "#platform/database/database.server.ts";
import { storedSecret } from "#platform/database/keys/stored-keys.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { createConcurrencyLimit } from "./concurrency-limit.server.ts";

/** A rate limit: how many attempts (`points`) in how many seconds, and the waits after too many. */
interface LimitRule {
  points: number;
  seconds: number;
  /** Seconds of the first, second, … wait after too many; the last one repeats. Without it, the window must pass. */
  waits?: readonly number[];
}

/** How a counted attempt ended. */
export type Outcome<T> = { value: T } | { refusal: Refusal };

/** A rate limit, counted by key in the database, so for all processes together. */
export interface Limit {
  /**
   * Counts one attempt before it is made, so that a hundred at once do not all pass. Afterwards it is refunded unless it
   * `counts`. A failure of ours (5xx) and the refusal of another rate limit never count. While some are being made the
   * others wait for their turn, so that attempts which will be refunded use up nothing in the meantime.
   */
  attempt<T>(key: string, counts: (outcome: Outcome<T>) => boolean, work: () => Promise<T>): Promise<T>;
  /** Resets the key's counter and its waits. */
  clear(key: string): Promise<void>;
}

/** Which attempts count: all, the refused ones, or the successful ones. */
export const countAll = () => true;
export const countRefusals = (outcome: Outcome<unknown>) => "refusal" in outcome;
export const countSuccesses = (outcome: Outcome<unknown>) => "value" in outcome;

export type CreateLimit = (name: string, rule: LimitRule) => Limit;

/** Backoff: for this long after too many attempts the next wait is longer. */
const strikesSeconds = 24 * 3_600;

const unlimited: Limit = {
  attempt: (_key, _counts, work) => work(),
  clear: async () => {},
};

export function createLimits(options: {
  database: Database;
  on: boolean;
  /** Called for every attempt too many, for the metrics. */
  onRefused?: ((limit: string) => void) | undefined;
}): CreateLimit {
  const { database, on, onRefused } = options;
  if (!on) return () => unlimited;
  const secret = storedSecret(database, "rate-limit");
  /** Keyed, so that no one can compute the hash of a known e-mail or IP address and look it up in the table. */
  const hashOf = async (key: string) =>
    createHmac("sha256", await secret())
      .update(key)
      .digest("base64url");
  let cleaning = false;
  const counter = (keyPrefix: string, points: number, duration: number) => {
    const made = new RateLimiterPostgres({
      storeClient: database.$client,
      storeType: "pool",
      tableName: "rate_limit",
      tableCreated: true,
      keyPrefix,
      points,
      duration,
      // One limiter deletes expired rows for all.
      clearExpiredByTimeout: !cleaning,
    });
    cleaning = true;
    return made;
  };

  return (name, { points, seconds, waits = [] }) => {
    const attempts = counter(name, points, seconds);
    // A quarter of the points: a few processes together stay within them.
    const inTurn = createConcurrencyLimit({ atOnce: Math.max(1, Math.floor(points / 4)), waiting: 1_000 });
    const strikes = counter(`${name}+`, Number.MAX_SAFE_INTEGER, strikesSeconds);
    /** Refunds that failed because the database was unavailable; made with the key's next attempt. */
    const owedRefunds = new Map<string, number>();

    async function take(hashed: string): Promise<void> {
      const owed = owedRefunds.get(hashed);
      owedRefunds.delete(hashed);
      if (owed) await refund(hashed, owed);
      const over = await attempts.consume(hashed).then(() => undefined, resultOf);
      if (!over) return;
      let waitMs = over.msBeforeNext;
      // Exactly one of any number of racing attempts is the first too many; it starts the wait.
      if (waits.length > 0 && over.consumedPoints === points + 1) {
        const { consumedPoints: strike } = await strikes.penalty(hashed);
        const wait = waits[Math.min(strike, waits.length) - 1] ?? seconds;
        await attempts.block(hashed, wait);
        waitMs = wait * 1_000;
      }
      onRefused?.(name);
      throw new Refusal("too_many", { retryAfterSeconds: Math.max(1, waitMs / 1_000) });
    }

    async function refund(hashed: string, count = 1): Promise<void> {
      await attempts.reward(hashed, count).catch(() => owedRefunds.set(hashed, (owedRefunds.get(hashed) ?? 0) + count));
    }

    return {
      async attempt(key, counts, work) {
        const hashed = await hashOf(key);
        const make = async () => {
          await take(hashed);
          try {
            const value = await work();
            if (!counts({ value })) await refund(hashed);
            return value;
          } catch (error) {
            if (!isDecision(error) || !counts({ refusal: error })) await refund(hashed);
            throw error;
          }
        };
        return counts === countAll ? make() : inTurn({ customerId: hashed, sessionId: 0 }, make);
      },
      async clear(key) {
        const hashed = await hashOf(key);
        await Promise.all([attempts.delete(hashed), strikes.delete(hashed)]);
      },
    };
  };
}

/** A refusal that decided on the attempt: neither a failure of ours nor the refusal of another rate limit. */
function isDecision(error: unknown): error is Refusal {
  return error instanceof Refusal && error.status < 500 && error.code !== "too_many";
}

/** The limiter throws a result when there were too many, and an error when the database failed. */
function resultOf(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

/** What counts as one client: an IPv4 address, or the /64 prefix of an IPv6 address, since a home has all of a /64. */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("%")[0]?.toLowerCase().split("::") ?? [];
  const before = head.split(":").filter(Boolean);
  const after = tail.split(":").filter(Boolean);
  const zeros = address.includes("::") ? Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0") : [];
  const groups = [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.slice(0, 4).join(":")}::/64`;
}
