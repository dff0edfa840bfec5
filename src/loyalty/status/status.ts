/**
 * The status follows the points of the last months. Its SQL: db/functions/loyalty_status.sql (status, its end, what keeps
 * it), db/functions/loyalty_status_points.sql (the points that decide it), db/functions/loyalty_earned.sql (those earned in
 * the status window), db/functions/loyalty_kept_status.sql (a status that an earlier version promised),
 * db/functions/loyalty_may_be_promised.sql (whether there can be one), db/functions/loyalty_counts_from.sql (the first
 * day of the window) and db/functions/loyalty_tier_for.sql. The simulator has no database and uses what is here.
 */

/** The tier for so many points: the highest that requires no more. Tiers are from the lowest up, which requires none. */
export function tierFor<Tier extends { pointsRequired: number }>(tiers: readonly Tier[], points: number): Tier {
  const tier = tiers.findLast(({ pointsRequired }) => pointsRequired <= points) ?? tiers[0];
  if (!tier) throw new Error("The programme has no tier.");
  return tier;
}

/** The status window: the first day whose points still count on a day, both as YYYY-MM-DD. */
export function countsFrom(today: string, months: number): string {
  const first = addMonths(today, -months);
  if (addMonths(first, months) >= today) return first;
  return new Date(Date.parse(first) + 86_400_000).toISOString().slice(0, 10);
}

/** As PostgreSQL adds months: the last day of a shorter month stands for those it lacks. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}
