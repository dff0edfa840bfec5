import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "#platform/database/database.server.ts";
import { storedSecret } from "#platform/database/stored-keys.server.ts";
import { Refusal } from "#platform/refusal.ts";

/** How many attempts, in how long, and what follows. */
export interface LimitRule {
  points: number;
  seconds: number;
  /** Seconds of the first, second, … wait after too many; the last one repeats. Without it, the window must pass. */
  waits?: readonly number[];
}

/** How a counted attempt ended. */
export type Outcome<T> = { value: T } | { refusal: Refusal };

/** Counts attempts by key, for all processes together. */
export interface Limit {
  /**
   * Counts one attempt before it is made: a hundred at once must not all slip through. Afterwards it is given back
   * unless it `counts`. What we fail to answer (5xx), and what another limit refuses, never counts.
   */
  attempt<T>(key: string, counts: (outcome: Outcome<T>) => boolean, work: () => Promise<T>): Promise<T>;
  /** Forgets the key and its waits. */
  clear(key: string): Promise<void>;
}

export const always = () => true;
export const whenRefused = (outcome: Outcome<unknown>) => "refusal" in outcome;
export const whenAnswered = (outcome: Outcome<unknown>) => "value" in outcome;

export type CreateLimit = (name: string, rule: LimitRule) => Limit;

/** How long a run of too many attempts is remembered, so that the next wait is longer. */
const strikesSeconds = 24 * 3_600;

const unlimited: Limit = {
  attempt: (_key, _counts, work) => work(),
  clear: async () => {},
};

export function createLimits(options: {
  database: Database;
  on: boolean;
  /** Told of every attempt too many, for the metrics. */
  onRefused?: ((limit: string) => void) | undefined;
}): CreateLimit {
  const { database, on, onRefused } = options;
  if (!on) return () => unlimited;
  const secret = storedSecret(database, "rate-limit");
  /** No address, of mail or of network, stands in the table in the clear, nor as a hash that anybody could compute. */
  const hashOf = async (key: string) =>
    createHmac("sha256", await secret())
      .update(key)
      .digest("base64url");
  let sweeping = false;
  const counter = (keyPrefix: string, points: number, duration: number) => {
    const made = new RateLimiterPostgres({
      storeClient: database.$client,
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
    /** Attempts that could not be given back because the database was away; given back with the key's next attempt. */
    const owed = new Map<string, number>();

    async function take(hashed: string): Promise<void> {
      const debt = owed.get(hashed);
      owed.delete(hashed);
      if (debt) await giveBack(hashed, debt);
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
    }

    async function giveBack(hashed: string, taken = 1): Promise<void> {
      await attempts.reward(hashed, taken).catch(() => owed.set(hashed, (owed.get(hashed) ?? 0) + taken));
    }

    return {
      async attempt(key, counts, work) {
        const hashed = await hashOf(key);
        await take(hashed);
        try {
          const value = await work();
          if (!counts({ value })) await giveBack(hashed);
          return value;
        } catch (error) {
          if (!isVerdict(error) || !counts({ refusal: error })) await giveBack(hashed);
          throw error;
        }
      },
      async clear(key) {
        const hashed = await hashOf(key);
        await Promise.all([attempts.delete(hashed), strikes.delete(hashed)]);
      },
    };
  };
}

/** Something was judged and refused: neither a fault of ours nor the word of another limit. */
function isVerdict(error: unknown): error is Refusal {
  return error instanceof Refusal && error.status < 500 && error.code !== "too_many";
}

/** The limiter throws a result when there were too many, and an error when the database failed. */
function asResult(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

/** Who a client address is: an IPv6 network of 2^64 addresses is one client, as an IPv4 address is. */
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
