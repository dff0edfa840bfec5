import type { Rules } from "./rules.ts";

/** What points are worth: as much as the reward gives that gives most for one. A limit rounds up, what is owed down. */
export function valueOfPoints({
  rewards,
}: {
  rewards: readonly Pick<Rules["rewards"][number], "points" | "amountCents">[];
}) {
  const best = rewards.toSorted((a, b) => b.amountCents / b.points - a.amountCents / a.points)[0];
  const cents = (points: number, round = Math.floor) => (best ? round((points * best.amountCents) / best.points) : 0);
  return { cents, best };
}
