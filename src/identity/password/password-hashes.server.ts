import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "#platform/refusal.ts";
import { costOf, isOldHash, matchesOldHash } from "./old-hashes/old-hash.server.ts";

/** argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const productCost = { memoryCost: 19 * 1_024, timeCost: 2, parallelism: 1 };

/** Salt and hash of random bytes: an unknown address is checked against them, so that it takes as long as a wrong password. */
const dummyBytes = "s/imK/XXCsuoCEALimcwyA$EXZElcBTOSi/x8/a8ofwePecK2kWZ+CRMvrJ2EkskHk";

export interface PasswordHashes {
  hash(password: string): Promise<string>;
  /**
   * Whether it is the password of this hash. Without a hash it is not, after the same work. A wrong one is also checked
   * against the samples of every other cost, so that the time tells nothing about the hash.
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
} = {}): PasswordHashes {
  const { memoryCost, timeCost, parallelism } = cost;
  const dummyHash = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${dummyBytes}`;
  let running = 0;
  const waiting: (() => void)[] = [];

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
    matches: (password, hashed, samples) =>
      withConcurrencyLimit(async () => {
        const own = hashed ?? dummyHash;
        const matchesOne = (one: string) =>
          isOldHash(one) ? matchesOldHash(password, one) : verify(one, password.normalize("NFC"));
        if (await matchesOne(own)) return Boolean(hashed);
        const others = [dummyHash, ...((await samples?.()) ?? [])].filter((one) => costOf(one) !== costOf(own));
        for (const other of others) await matchesOne(other);
        return false;
      }),
    isOld: isOldHash,
    load: () => ({ running, waiting: waiting.length }),
  };
}
