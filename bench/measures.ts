/** Something to do, by one of several who do it at once. */
export type Work = (worker: number) => Promise<unknown>;

/** A floor is named in the row; without one the row is there for comparison. */
export interface Result {
  what: string;
  metrics: string;
  ratio: number;
  /** The same ratio by the processor time of this process, which neighbours on the machine cannot slow down. */
  byProcessor?: number;
  least?: number;
  most?: number;
}

export const isKept = ({ ratio, least = 0, most = Number.POSITIVE_INFINITY }: Result) =>
  ratio >= least && ratio <= most;

export const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const ms = (value: number) => `${value.toFixed(2)} ms`;
export const perSecond = (value: number) => `${Math.round(value)}/s`;

/** Both in turns, so that whatever slows the machine down slows both. The time one of them takes, in the middle. */
export async function compare(one: () => Promise<unknown>, other: () => Promise<unknown>, rounds = 600) {
  const times = { one: [] as number[], other: [] as number[] };
  for (let round = 0; round < rounds + 100; round++) {
    for (const [name, work] of [
      ["one", one],
      ["other", other],
    ] as const) {
      const startedAt = performance.now();
      await work();
      // The first hundred warm up the code and the plans.
      if (round >= 100) times[name].push(performance.now() - startedAt);
    }
  }
  return { one: median(times.one), other: median(times.other) };
}

/** How often a second it is done, with this many at once, and what each time costs in processor time. */
async function turn(workers: number, seconds: number, work: Work) {
  const usedBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let done = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (performance.now() < endsAt) {
        await work(worker);
        done += 1;
      }
    }),
  );
  const { user, system } = process.cpuUsage(usedBefore);
  return { rate: (done * 1_000) / (performance.now() - startedAt), cost: (user + system) / done };
}

type Turn = Awaited<ReturnType<typeof turn>>;

export const rate = async (workers: number, seconds: number, work: Work) => (await turn(workers, seconds, work)).rate;

/**
 * Rates in short turns: other work on the machine comes and goes, and two neighbouring turns see the same of it.
 * The ratio is the middle of the neighbours' ratios, which is steadier than the ratio of the middles.
 */
export async function race(
  one: Work,
  other: Work,
  { atOnce = 8, seconds = 0.25, rounds = 40 }: { atOnce?: number; seconds?: number; rounds?: number } = {},
) {
  // The first turns warm up the code and the plans.
  for (const work of [one, other]) await rate(atOnce, 1, work);
  const turns: { one: Turn; other: Turn }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first changes, or a collection of the one's waste would always fall on the other.
    const first = await turn(atOnce, seconds, round % 2 ? one : other);
    const second = await turn(atOnce, seconds, round % 2 ? other : one);
    turns.push(round % 2 ? { one: first, other: second } : { one: second, other: first });
  }
  return {
    metrics: `${perSecond(median(turns.map((both) => both.one.rate)))} to ${perSecond(median(turns.map((both) => both.other.rate)))}`,
    ratio: median(turns.map(({ one, other }) => one.rate / other.rate)),
    byProcessor: median(turns.map(({ one, other }) => other.cost / one.cost)),
  };
}

/** As many at once and no more; the others wait. */
export function limited(work: () => Promise<unknown>, atOnce: number): () => Promise<unknown> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async () => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
