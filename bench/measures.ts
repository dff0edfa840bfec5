/** One operation, run by one of several concurrent workers. */
export type Work = ((worker: number) => Promise<unknown>) & {
  /** The processor time used so far, in microseconds, where the work is done by another process. */
  cpu?: () => Promise<number>;
};

async function ownCpu(): Promise<number> {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** One row of the report. Without a limit (`least` or `most`) it is there for comparison. */
export interface Result {
  what: string;
  metrics: string;
  ratio: number;
  /** The same ratio by the CPU time of the process that does the work, which other processes cannot slow down. */
  byProcessor?: number;
  least?: number;
  most?: number;
}

export const isKept = ({ ratio, least = 0, most = Number.POSITIVE_INFINITY }: Result) =>
  ratio >= least && ratio <= most;

export const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const ms = (value: number) => `${value.toFixed(2)} ms`;
export const perSecond = (value: number) => `${Math.round(value)}/s`;

/** Says on stderr what has been done, and how long it took, so that a long run can be told from one that hangs. */
export function startSteps(): (done: string) => void {
  const startedAt = performance.now();
  let before = startedAt;
  return (done) => {
    const now = performance.now();
    // A second is less than anyone wonders about; a test's few rows take none.
    if (now - before >= 1_000)
      process.stderr.write(`${seconds(now - startedAt)}  ${seconds(now - before)}  ${done.slice(0, 110)}\n`);
    before = now;
  };
}

const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`.padStart(9);

/** Runs both alternately, so that whatever slows the machine down slows both. Returns the median times. */
export async function compare(one: () => Promise<unknown>, other: () => Promise<unknown>, rounds = 600, warmUp = 100) {
  const times = { one: [] as number[], other: [] as number[] };
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const [name, work] of [
      ["one", one],
      ["other", other],
    ] as const) {
      const startedAt = performance.now();
      await work();
      // The first warm up the JIT and the query plans.
      if (round >= warmUp) times[name].push(performance.now() - startedAt);
    }
  }
  return { one: median(times.one), other: median(times.other) };
}

/** Operations per second with this many workers, and the CPU time of each. */
async function turn(workers: number, seconds: number, work: Work) {
  const { cpu = ownCpu } = work;
  const usedBefore = await cpu();
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
  const rate = (done * 1_000) / (performance.now() - startedAt);
  return { rate, cost: ((await cpu()) - usedBefore) / done };
}

type Turn = Awaited<ReturnType<typeof turn>>;

export const rate = async (workers: number, seconds: number, work: Work) => (await turn(workers, seconds, work)).rate;

/**
 * Measures both rates in short alternating turns, so that other load on the machine affects neighbouring turns alike.
 * The ratio is the median of the neighbours' ratios, which is steadier than the ratio of the medians.
 */
export async function race(
  one: Work,
  other: Work,
  { atOnce = 8, seconds = 0.25, rounds = 40 }: { atOnce?: number; seconds?: number; rounds?: number } = {},
) {
  // The first turns warm up the JIT and the query plans.
  for (const work of [one, other]) await rate(atOnce, 1, work);
  const turns: { one: Turn; other: Turn }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The order alternates, or the garbage collection of one would always fall into the turn of the other.
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

/** Limits concurrency; further calls wait. */
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
