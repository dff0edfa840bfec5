import type { Reward } from "#loyalty/programme/programme.server.ts";
import { amountOf } from "./amounts.server.ts";

/** How far it is to the next of the cheapest rewards, after those that the points cover already: "101 points to the next 10 €". */
export function nextRewardOf(rewards: readonly Reward[], available: number) {
  const [cheapest] = [...rewards].sort((a, b) => a.points - b.points);
  if (!cheapest) return null;
  const { points, amountCents } = cheapest;
  return { Points: points, Missing: points - (Math.max(0, available) % points), Value: amountOf(amountCents) };
}
