/** Points by their age in months: those that were there, what of them was spent, and what was left at the end. */
export interface AgeRow {
  age: number;
  exposure: number;
  spent: number;
  left: number;
}

/** So many closed months tell how points are redeemed; with fewer an owner chooses the rate. */
export const historyMonths = 24;

export interface Liability {
  /** What points are worth: so many of them, so many cents. */
  rewardPoints: number;
  rewardCents: number;
  source: "history" | "chosen";
  chosenPercent: number;
  /** How points of an age were redeemed in the months before, and what part of those still there will be. */
  ages: (AgeRow & { expected: number })[];
  pointsCents: number;
  pendingCents: number;
  vouchersCents: number;
}

/**
 * The liability under IFRS 15: points × their stand-alone value × the part that is expected to be redeemed. Vouchers that
 * can be used count in full.
 */
export function liabilityOf(given: {
  ages: readonly AgeRow[];
  pendingPoints: number;
  vouchersCents: number;
  /** The tables of the closed months before, one each. */
  history: readonly (readonly AgeRow[])[];
  chosenPercent: number;
  reward: { points: number; amountCents: number } | undefined;
}): Liability {
  const { ages, pendingPoints, vouchersCents, chosenPercent, reward } = given;
  const source = given.history.length >= historyMonths ? "history" : "chosen";
  const table = source === "history" ? expectedByAge(given.history, chosenPercent / 100) : [];
  const expectedOf = (age: number) => table.find((row) => row.age === age)?.expected ?? chosenPercent / 100;
  const cents = (points: number) => (reward ? (points * reward.amountCents) / reward.points : 0);
  // Points of an age will live through the ages after it.
  const pointsCents = ages.reduce((total, { age, left }) => total + cents(left) * expectedOf(age + 1), 0);
  return {
    ...{ rewardPoints: reward?.points ?? 0, rewardCents: reward?.amountCents ?? 0, source, chosenPercent, ages: table },
    pointsCents: Math.round(pointsCents),
    pendingCents: Math.round(cents(pendingPoints) * expectedOf(0)),
    vouchersCents,
  };
}

/**
 * What part of the points of an age is redeemed in the end: what is spent at that age, and of those left what is expected
 * at the next. Beyond the last age that was seen, the chosen rate.
 */
function expectedByAge(history: readonly (readonly AgeRow[])[], chosen: number): Liability["ages"] {
  const totals = new Map<number, AgeRow>();
  for (const { age, ...row } of history.flat()) {
    const total = totals.get(age) ?? { age, exposure: 0, spent: 0, left: 0 };
    for (const name of ["exposure", "spent", "left"] as const) total[name] += row[name];
    totals.set(age, total);
  }
  let after = chosen;
  return [...totals.values()]
    .sort((a, b) => b.age - a.age)
    .map((row) => {
      after = row.exposure > 0 ? (row.spent + row.left * after) / row.exposure : chosen;
      return { ...row, expected: after };
    })
    .reverse();
}
