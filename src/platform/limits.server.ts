import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { Refusal } from "./refusal.ts";

/** How many attempts, in how long, and what follows. */
export interface LimitRule {
  points: number;
  seconds: number;
  /** Seconds of the first, second, … wait after too many; the last one repeats. Without it, the window must pass. */
  waits?: readonly number[];
}

/** Counts attempts by key, for all processes together. */
export interface Limit {
  /** Counts one attempt, before it is judged: a hundred at once must not all slip through. */
  take(key: string): Promise<void>;
  /** The attempt was a good one: it does not count. */
  giveBack(key: string): Promise<void>;
  /** Forgets the key and its waits. */
  clear(key: string): Promise<void>;
}

export type CreateLimit = (name: string, rule: LimitRule) => Limit;

/** How long a run of too many attempts is remembered, so that the next wait is longer. */
const strikesSeconds = 24 * 3_600;

const unlimited: Limit = {
  take: async () => {},
  giveBack: async () => {},
  clear: async () => {},
};

export function createLimits(options: {
  pool: pg.Pool;
  on: boolean;
  /** Told of every attempt too many, for the figures. */
  onRefused?: ((limit: string) => void) | undefined;
}): CreateLimit {
  const { pool, on, onRefused } = options;
  if (!on) return () => unlimited;
  let sweeping = false;
  const counter = (keyPrefix: string, points: number, duration: number) => {
    const made = new RateLimiterPostgres({
      storeClient: pool,
      storeType: "pool",
      tableName: "rate_limit",
      tableCreated: true,
      keyPrefix,
      points,
      duration,
      // One of them sweeps the table for all.
      clearExpiredByTimeout: !sweeping,
    });
    sweeping = true;
    return made;
  };

  return (name, { points, seconds, waits = [] }) => {
    const attempts = counter(name, points, seconds);
    const strikes = counter(`${name}+`, Number.MAX_SAFE_INTEGER, strikesSeconds);
    return {
      async take(key) {
        const hashed = hashOf(key);
        const over = await attempts.consume(hashed).then(() => undefined, asResult);
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
      },
      async giveBack(key) {
        await attempts.reward(hashOf(key));
      },
      async clear(key) {
        const hashed = hashOf(key);
        await Promise.all([attempts.delete(hashed), strikes.delete(hashed)]);
      },
    };
  };
}

/** The limiter throws a result when there were too many, and an error when the database failed. */
function asResult(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

/** No address, of mail or of network, stands in the table in the clear. */
function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

/** Who a network address is: a home has one of the fourth version and 2^64 of the sixth. */
export function networkOf(address: string): string {
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
