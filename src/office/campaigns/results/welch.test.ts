import { expect, test } from "vitest";
import { compareMeans, type Sample, studentQuantile } from "./welch.ts";

test("the quantile of Student's distribution is that of printed tables", () => {
  for (const [freedom, quantile] of [
    [3, 3.182],
    [5, 2.571],
    [10, 2.228],
    [20, 2.086],
    [30, 2.042],
    [60, 2],
    [120, 1.98],
    [100_000, 1.96],
  ] as const)
    expect(studentQuantile(freedom)).toBeCloseTo(quantile, 3);
});

test("degrees of freedom and interval are those of a published example with groups of other size and spread", () => {
  // Iris, as in the manual of R: sepal width of setosa and of versicolor, 50 flowers each.
  const compared = compareMeans(
    { members: 50, mean: 3.428, variance: 0.143_689_8 },
    { members: 50, mean: 2.77, variance: 0.098_469_4 },
  );
  expect(compared?.freedom).toBeCloseTo(94.698, 2);
  expect(compared?.low).toBeCloseTo(0.519_8, 3);
  expect(compared?.high).toBeCloseTo(0.796_2, 3);
  const few = { members: 29, mean: 1, variance: 1 };
  expect(compareMeans(few, { ...few, members: 400 })).toBeUndefined();
});

test("a campaign without effect reports one in 3 to 7 of 100 months, with 1 000 generated months", () => {
  const random = generator(20_261_118);
  /** Most members buy nothing in a month, the others uneven sums. */
  const spent = () => {
    if (random() < 0.6) return 0;
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.round(Math.exp(8.7 + 0.6 * normal));
  };
  let reported = 0;
  for (let month = 0; month < 1_000; month += 1) {
    const compared = compareMeans(sampleOf(900, spent), sampleOf(100, spent));
    if (compared && (compared.low > 0 || compared.high < 0)) reported += 1;
  }
  expect(reported).toBeGreaterThanOrEqual(30);
  expect(reported).toBeLessThanOrEqual(70);
});

function sampleOf(members: number, value: () => number): Sample {
  const values = Array.from({ length: members }, value);
  const mean = values.reduce((sum, one) => sum + one, 0) / members;
  return { members, mean, variance: values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (members - 1) };
}

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
