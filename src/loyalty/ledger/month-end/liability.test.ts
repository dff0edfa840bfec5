import { expect, test } from "vitest";
import { historyMonths, liabilityOf } from "./liability.ts";

const reward = { points: 250, amountCents: 1_000 };
/** Of a hundred points a tenth is spent in the first month, half of the rest in the second, and what is left expires. */
const month = [
  { age: 0, exposure: 100, spent: 10, left: 90 },
  { age: 1, exposure: 90, spent: 45, left: 45 },
  { age: 2, exposure: 45, spent: 0, left: 0 },
];
const given = {
  ages: [
    { age: 0, exposure: 1_000, spent: 0, left: 1_000 },
    { age: 1, exposure: 500, spent: 0, left: 500 },
  ],
  ...{ pendingPoints: 200, vouchersCents: 3_000, chosenPercent: 80, reward },
};

test("with 24 closed months the expected redemption is that of the points' age", () => {
  const { source, ages, ...liability } = liabilityOf({
    ...given,
    history: Array.from({ length: historyMonths }, () => month),
  });
  expect(source).toBe("history");
  expect(ages.map(({ age, expected }) => [age, expected])).toEqual([
    [0, 0.55],
    [1, 0.5],
    [2, 0],
  ]);
  // 1 000 points of the first month live through the second; those of the second will expire; 4 cents each.
  expect(liability).toMatchObject({ pointsCents: 2_000, pendingCents: 440, vouchersCents: 3_000 });
});

test("with fewer the rate that an owner chose counts for all points", () => {
  const { source, ages, pointsCents, pendingCents } = liabilityOf({ ...given, history: [month] });
  expect([source, ages, pointsCents, pendingCents]).toEqual(["chosen", [], 4_800, 640]);
});

test("beyond the ages that were seen the chosen rate counts", () => {
  const history = Array.from({ length: historyMonths }, () => month.slice(0, 1));
  expect(liabilityOf({ ...given, history }).pointsCents).toBe(4_800);
});
