import { Refusal } from "#platform/refusal.ts";

/** Fewer than the pool has connections: one customer cannot hold them all. */
const atOnceLimit = 4;
/** A page or a double click asks a few things at once; beyond this it is a flood. */
const waitingLimit = 200;

interface Turns {
  running: number;
  /** Who waits, by session. */
  waiting: Map<number, (() => void)[]>;
}

/**
 * Runs at most a few calls of one customer at a time in this process; the others wait their turn. Calls of one customer
 * wait for each other's locks anyway, each with a connection in its hand, and other customers would wait for those. The
 * customer's sessions take turns: one that floods must not keep the others from signing it out.
 */
export type ConcurrencyLimit = <T>(
  caller: { customerId: number; sessionId: number },
  work: (waited: boolean) => Promise<T>,
) => Promise<T>;

export function createConcurrencyLimit(): ConcurrencyLimit {
  const turns = new Map<number, Turns>();

  return async ({ customerId, sessionId }, work) => {
    const own = turns.get(customerId) ?? { running: 0, waiting: new Map() };
    turns.set(customerId, own);
    const waits = own.running >= atOnceLimit;
    // Whoever is done hands its place over, so `running` stays as it is.
    if (waits) await queue(own, sessionId);
    else own.running += 1;
    try {
      return await work(waits);
    } finally {
      const next = nextOf(own);
      if (next) next();
      else own.running -= 1;
      if (own.running === 0) turns.delete(customerId);
    }
  };
}

function queue({ waiting }: Turns, sessionId: number): Promise<void> {
  const queued = waiting.get(sessionId) ?? [];
  if (queued.length >= waitingLimit) throw new Refusal("too_many", { retryAfterSeconds: 1 });
  waiting.set(sessionId, queued);
  return new Promise((resolve) => queued.push(resolve));
}

/** The first of the session whose turn it is; that session then stands last. */
function nextOf({ waiting }: Turns): (() => void) | undefined {
  for (const [sessionId, queued] of waiting) {
    const next = queued.shift();
    waiting.delete(sessionId);
    if (queued.length > 0) waiting.set(sessionId, queued);
    return next;
  }
  return undefined;
}
