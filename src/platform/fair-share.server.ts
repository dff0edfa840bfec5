import { Refusal } from "./refusal.ts";

/** Fewer than the pool has connections: one customer cannot hold them all. */
const atOnceLimit = 4;
/** A page or a double click asks a few things at once; beyond this it is a flood. */
const waitingLimit = 200;

interface Share {
  running: number;
  waiting: (() => void)[];
}

/**
 * Runs at most a few calls of one customer at a time in this process; the others wait their turn. Calls of one customer
 * wait for each other's locks anyway, each with a connection in its hand, and other customers would wait for those.
 */
export function createFairShare({ atOnce = atOnceLimit, waiting = waitingLimit } = {}) {
  const shares = new Map<number, Share>();

  return async <T>(customerId: number, work: () => Promise<T>): Promise<T> => {
    const share = shares.get(customerId) ?? { running: 0, waiting: [] };
    shares.set(customerId, share);
    if (share.running < atOnce) share.running += 1;
    else {
      if (share.waiting.length >= waiting) throw new Refusal("too_many", { retryAfterSeconds: 1 });
      // Whoever is done hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => share.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = share.waiting.shift();
      if (next) next();
      else share.running -= 1;
      if (share.running === 0) shares.delete(customerId);
    }
  };
}
