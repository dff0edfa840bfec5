import { amountOf } from "#brand/amounts.ts";
import type { Reward } from "#loyalty/programme/programme.server.ts";

/**
 * How far it is to the next of the cheapest rewards, after those that the points cover already, and after what is owed:
 * "101 points to the next 10 €".
 */
export function nextRewardOf(rewards: readonly Reward[], available: number, debt: number) {
  const [cheapest] = [...rewards].sort((a, b) => a.points - b.points);
  if (!cheapest) return null;
  const { points, amountCents } = cheapest;
  const missing = points - (Math.max(0, available) % points) + debt;
  return { Points: points, Missing: missing, Value: amountOf(amountCents) };
}
