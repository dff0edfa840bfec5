import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** A request counts as served in time up to here, from the moment at which it was due. */
export const limitMs = 300;

/** The moments of requests that come independently of each other, in milliseconds from the start. */
export function arrivals(rate: number, seconds: number, random: () => number): number[] {
  const moments: number[] = [];
  for (let at = 0; ; ) {
    at -= (Math.log(1 - random()) * 1_000) / rate;
    if (at >= seconds * 1_000) return moments;
    moments.push(at);
  }
}

/** Random numbers that repeat with the seed, so that both sides get the same requests at the same moments. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Deals out kinds of requests by their shares, each as evenly as possible. */
export function createMix<Kind extends string>(shares: Readonly<Record<Kind, number>>): () => Kind {
  const kinds = Object.keys(shares) as Kind[];
  const total = kinds.reduce((sum, kind) => sum + shares[kind], 0);
  const due = new Map(kinds.map((kind) => [kind, 0]));
  return () => {
    for (const kind of kinds) due.set(kind, (due.get(kind) ?? 0) + shares[kind] / total);
    const next = kinds.reduce((most, kind) => ((due.get(kind) ?? 0) > (due.get(most) ?? 0) ? kind : most));
    due.set(next, (due.get(next) ?? 0) - 1);
    return next;
  };
}

/** The least value that so large a part of the values does not exceed. */
export function percentile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
}

export interface Served {
  due: number;
  sent: number;
  errors: string[];
  /** Of what was sent; an error is as late as can be. */
  p99: number;
  /** The part of what was due that was served in time. */
  inTime: number;
}

/**
 * Sends requests on schedule, no matter how many are waiting for their response, and counts the time of each from the moment
 * at which it was due. `send` gets a slot that no other request uses meanwhile. With `untilLost` it stops as soon as more
 * than one of a hundred is late: the 99th percentile cannot be saved any more.
 */
export async function sendOnSchedule(
  moments: number[],
  send: (slot: number) => Promise<unknown>,
  { untilLost = false } = {},
): Promise<Served> {
  const times: number[] = [];
  const errors: string[] = [];
  const free: number[] = [];
  const open = new Set<Promise<void>>();
  let slots = 0;
  let late = 0;
  const startedAt = performance.now();
  const request = async (moment: number) => {
    const slot = free.pop() ?? slots++;
    let took = Number.POSITIVE_INFINITY;
    try {
      await send(slot);
      took = performance.now() - startedAt - moment;
    } catch (error) {
      errors.push(String(error));
    }
    free.push(slot);
    times.push(took);
    if (took > limitMs) late += 1;
  };
  for (const moment of moments) {
    if (untilLost && late > moments.length / 100) break;
    const wait = startedAt + moment - performance.now();
    if (wait > 0) await sleep(wait);
    const one = request(moment).finally(() => open.delete(one));
    open.add(one);
  }
  await Promise.all(open);
  return {
    due: moments.length,
    sent: times.length,
    errors,
    p99: percentile(times, 0.99),
    inTime: times.filter((time) => time <= limitMs).length / Math.max(1, moments.length),
  };
}

/** Climbs until a rate fails: the one that fails, and the last one before it. */
export async function climb(from: number, factor: number, holds: (rate: number) => Promise<boolean>) {
  let held = 0;
  let rate = from;
  while (await holds(rate)) {
    held = rate;
    rate *= factor;
  }
  return { held, lost: rate };
}

/** The highest of these rates that holds, tried from the highest; 0 when none does. */
export async function highestHeld(rates: number[], holds: (rate: number) => Promise<boolean>): Promise<number> {
  for (const rate of rates.toSorted((a, b) => b - a)) if (await holds(rate)) return rate;
  return 0;
}
