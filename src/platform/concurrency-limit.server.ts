import { Refusal } from "./refusal.ts";

/** Fewer than the pool has connections: one customer cannot hold them all. */
const atOnceLimit = 4;
/** A page or a double click asks a few things at once; beyond this it is a flood. */
const waitingLimit = 200;

interface Turns {
  running: number;
  waiting: (() => void)[];
}

/**
 * Runs at most a few calls of one customer at a time in this process; the others wait their turn. Calls of one customer
 * wait for each other's locks anyway, each with a connection in its hand, and other customers would wait for those.
 */
export type ConcurrencyLimit = <T>(customerId: number, work: () => Promise<T>) => Promise<T>;

export function createConcurrencyLimit(): ConcurrencyLimit {
  const turns = new Map<number, Turns>();

  return async <T>(customerId: number, work: () => Promise<T>): Promise<T> => {
    const own = turns.get(customerId) ?? { running: 0, waiting: [] };
    turns.set(customerId, own);
    if (own.running < atOnceLimit) own.running += 1;
    else {
      if (own.waiting.length >= waitingLimit) throw new Refusal("too_many", { retryAfterSeconds: 1 });
      // Whoever is done hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => own.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = own.waiting.shift();
      if (next) next();
      else own.running -= 1;
      if (own.running === 0) turns.delete(customerId);
    }
  };
}
