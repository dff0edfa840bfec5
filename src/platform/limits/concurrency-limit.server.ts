import { Refusal } from "#platform/refusal.ts";

/**
 * Four at a time: fewer than the pool has connections, so that one customer cannot hold them all. A page or a double click
 * makes a few calls at once; more than 200 that wait are abuse.
 */
const ofCustomer = { atOnce: 4, waiting: 200 };

interface Queue {
  running: number;
  /** Waiting calls by session. */
  waiting: Map<number, (() => void)[]>;
}

/** A customer's id; a token or another secret, where the caller is not known yet; or a name of what all callers share. */
type Owner = number | string;

/**
 * Runs at most a few calls of one customer at a time in this process; the others queue. Calls of one customer wait for
 * each other's locks anyway, each holding a connection that other customers need. The customer's sessions are served
 * round-robin: one that sends too much must not keep the others from signing it out.
 */
export type ConcurrencyLimit = <T>(
  caller: { customerId: Owner; sessionId: number },
  work: (waited: boolean) => Promise<T>,
) => Promise<T>;

export function createConcurrencyLimit({ atOnce, waiting } = ofCustomer): ConcurrencyLimit {
  const queues = new Map<Owner, Queue>();

  return async ({ customerId, sessionId }, work) => {
    const own = queues.get(customerId) ?? { running: 0, waiting: new Map() };
    queues.set(customerId, own);
    const waits = own.running >= atOnce;
    // A finished call starts the next one in its place, so `running` stays as it is.
    if (waits) await enqueue(own, sessionId, waiting);
    else own.running += 1;
    try {
      return await work(waits);
    } finally {
      const next = nextOf(own);
      if (next) next();
      else own.running -= 1;
      if (own.running === 0) queues.delete(customerId);
    }
  };
}

function enqueue({ waiting }: Queue, sessionId: number, waitingLimit: number): Promise<void> {
  const queued = waiting.get(sessionId) ?? [];
  if (queued.length >= waitingLimit) throw new Refusal("too_many", { retryAfterSeconds: 1 });
  waiting.set(sessionId, queued);
  return new Promise((resolve) => queued.push(resolve));
}

/** Round-robin: the first call of the next session; that session then goes to the end. */
function nextOf({ waiting }: Queue): (() => void) | undefined {
  for (const [sessionId, queued] of waiting) {
    const next = queued.shift();
    waiting.delete(sessionId);
    if (queued.length > 0) waiting.set(sessionId, queued);
    return next;
  }
  return undefined;
}
