/** A group of members, by one number of each. */
export interface Sample {
  members: number;
  mean: number;
  /** Of the sample: divided by one less than its members. */
  variance: number;
}

/** Fewer in one of the groups say nothing: sums spent by few people are too uneven for the interval to hold. */
export const leastMembers = 30;

/**
 * The difference of two means with its 95 % interval, by Welch: the groups may differ in size and in spread. Undefined where
 * one is too small.
 */
export function compareMeans(first: Sample, second: Sample) {
  const [a, b] = [first.variance / first.members, second.variance / second.members];
  const difference = first.mean - second.mean;
  if (Math.min(first.members, second.members) < leastMembers || a + b === 0) return undefined;
  const freedom = (a + b) ** 2 / (a ** 2 / (first.members - 1) + b ** 2 / (second.members - 1));
  const margin = studentQuantile(freedom) * Math.sqrt(a + b);
  return { difference, low: difference - margin, high: difference + margin, freedom };
}

/** The mean of a group with its 95 % interval. */
export function meanInterval({ members, mean, variance }: Sample) {
  const margin = studentQuantile(members - 1) * Math.sqrt(variance / members);
  return { value: mean, low: mean - margin, high: mean + margin };
}

/** The 97.5 % quantile of the normal distribution. */
const normalQuantile = 1.959_963_984_540_054;

/** The 97.5 % quantile of Student's distribution, by G. W. Hill, Algorithm 396, Communications of the ACM 13 (1970). */
export function studentQuantile(freedom: number): number {
  const n = freedom;
  const a = 1 / (n - 0.5);
  const b = 48 / a ** 2;
  const c = ((20_700 * (a / b) - 98) * a - 16) * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * n;
  const tail = (d * 0.05) ** (2 / n);
  if (tail <= 0.05 + a) {
    const y =
      ((1 / (((n + 6) / (n * tail) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * tail - 1) *
        ((n + 1) / (n + 2)) +
      1 / tail;
    return Math.sqrt(n * y);
  }
  const x = -normalQuantile;
  const small = n < 5 ? c + 0.3 * (n - 4.5) * (x + 0.6) : c;
  const e = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + small;
  const y = (((((0.4 * x ** 2 + 6.3) * x ** 2 + 36) * x ** 2 + 94.5) / e - x ** 2 - 3) / b + 1) * x;
  return Math.sqrt(n * Math.expm1(a * y ** 2));
}
