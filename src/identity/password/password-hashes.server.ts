import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "#platform/refusal.ts";
import { costOf, isOldHash, matchesOldHash } from "./old-hashes/old-hash.server.ts";

/** argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const productCost = { memoryCost: 19 * 1_024, timeCost: 2, parallelism: 1 };

/** Salt and hash of random bytes: an unknown address is checked against them, so that it takes as long as a wrong password. */
const dummyBytes = "s/imK/XXCsuoCEALimcwyA$EXZElcBTOSi/x8/a8ofwePecK2kWZ+CRMvrJ2EkskHk";

/** The slowest, too, is to end before its time most often. */
const spread = 1.25;

export interface PasswordHashes {
  hash(password: string): Promise<string>;
  /**
   * Whether it is the password of this hash. Without a hash it is not, after the same work. With the samples of the costs
   * in use, the response to a wrong one waits as long as the slowest takes, so that the time tells nothing about the hash.
   */
  matches(password: string, hashed: string | null | undefined, samples?: () => Promise<string[]>): Promise<boolean>;
  /** Whether it is the hash of another system, to be replaced at the first sign-in. */
  isOld(hashed: string): boolean;
  /** How busy it is, for the metrics. */
  load(): { running: number; waiting: number };
}

/**
 * Hashing takes a whole core: more at once than there are cores slow all of them down, and other requests with them (one
 * more trebled their p99), and an unbounded queue makes everybody wait. Past the limit the
 * response is 503 at once. Tests hash at a lower cost.
 */
export function createPasswordHashes({
  atOnce = availableParallelism(),
  waitingLimit = 100,
  cost = productCost,
  clock = { now: () => performance.now(), pause: (ms: number): Promise<unknown> => sleep(ms) },
  check = (password: string, hashed: string): Promise<boolean> =>
    isOldHash(hashed) ? matchesOldHash(password, hashed) : verify(hashed, password.normalize("NFC")),
} = {}): PasswordHashes {
  const { memoryCost, timeCost, parallelism } = cost;
  const dummyHash = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${dummyBytes}`;
  let running = 0;
  const waiting: (() => void)[] = [];
  /** How many milliseconds the checks of each cost have taken, the latest counting most. */
  const lately = new Map<string, number>();

  async function timedCheck(password: string, hashed: string): Promise<boolean> {
    const startedAt = clock.now();
    const isRight = await check(password, hashed);
    const tookMs = clock.now() - startedAt;
    const before = lately.get(costOf(hashed)) ?? tookMs;
    lately.set(costOf(hashed), before + (tookMs - before) / 8);
    return isRight;
  }

  async function withConcurrencyLimit<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running += 1;
    else {
      if (waiting.length >= waitingLimit) throw new Refusal("unavailable", { retryAfterSeconds: 1 });
      // The work that ends hands its slot over, so `running` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: (password) => withConcurrencyLimit(() => hash(password.normalize("NFC"), cost)),
    async matches(password, hashed, readSamples) {
      const own = hashed ?? dummyHash;
      const samples = (await readSamples?.()) ?? [];
      let startedAt = 0;
      const isRight = await withConcurrencyLimit(async () => {
        startedAt = clock.now();
        if (await timedCheck(password, own)) return true;
        // One at a time: a process that has just started knows how long each takes after a few wrong passwords.
        const unmeasured = samples.find((sample) => !lately.has(costOf(sample)));
        if (unmeasured) await timedCheck(password, unmeasured);
        return false;
      });
      if (isRight) return Boolean(hashed);
      if (samples.length > 0) {
        const slowestMs = Math.max(...[dummyHash, own, ...samples].map((one) => lately.get(costOf(one)) ?? 0));
        // Outside of the limit: waiting takes no core.
        await clock.pause(startedAt + slowestMs * spread - clock.now());
      }
      return false;
    },
    isOld: isOldHash,
    load: () => ({ running, waiting: waiting.length }),
  };
}
