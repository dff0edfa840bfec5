export const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Both in turns, so that whatever slows the machine down slows both. */
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

/** How often a second it is done, with this many at once. */
export async function rate(
  workers: number,
  seconds: number,
  work: (worker: number) => Promise<unknown>,
): Promise<number> {
  const endsAt = performance.now() + seconds * 1_000;
  let done = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (performance.now() < endsAt) {
        await work(worker);
        done += 1;
      }
    }),
  );
  return done / seconds;
}
