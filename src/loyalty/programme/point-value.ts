import type { Rules } from "./rules.ts";

/** What a reward costs and brings. */
export type PricedReward = Pick<Rules["rewards"][number], "points" | "amountCents">;

/**
 * What points are worth, everywhere by the reward that gives most for one:
 * - `cents`: any number of points at that rate. A limit rounds up, what is owed down.
 * - `vouchersCents`: the vouchers that the points can be turned into now, which is what a customer is told.
 * - `pointsWithin`: the points that are worth no more than an amount.
 */
export function valueOfPoints({ rewards }: { rewards: readonly PricedReward[] }) {
  // Of rewards with one rate the cheaper first: fewer points are left over.
  const byRate = rewards.toSorted((a, b) => b.amountCents / b.points - a.amountCents / a.points || a.points - b.points);
  const [best] = byRate;
  return {
    best,
    cents: (points: number, round = Math.floor) => (best ? round((points * best.amountCents) / best.points) : 0),
    vouchersCents: (points: number) => {
      let left = points;
      let cents = 0;
      for (const reward of byRate) {
        cents += Math.floor(left / reward.points) * reward.amountCents;
        left %= reward.points;
      }
      return cents;
    },
    pointsWithin: (cents: number) => (best ? Math.floor((cents * best.points) / best.amountCents) : Infinity),
  };
}
