import { studentQuantile } from "#office/campaigns/results/welch.ts";

/** A number of each member of a sample. */
export interface PerMember {
  count: number;
  mean: number;
  variance: number;
}

export function spreadOf(values: readonly number[]): PerMember {
  const count = values.length;
  const mean = count ? values.reduce((sum, value) => sum + value, 0) / count : 0;
  const variance = count > 1 ? values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1) : 0;
  return { count, mean, variance };
}

/**
 * The sum over so many other members, with the interval that holds it 95 times in 100: the mean of the sample may be off,
 * and these members differ from each other. Never below nothing.
 */
export function totalOf({ count, mean, variance }: PerMember, members: number) {
  const margin = studentQuantile(count - 1) * Math.sqrt(variance * (members + members ** 2 / count));
  const value = mean * members;
  return { value, low: Math.max(0, value - margin), high: value + margin };
}
