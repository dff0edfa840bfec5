import fc from "fast-check";
import { expect, test } from "vitest";
import { startProcessorTimer } from "#testing/processor-timer.server.ts";
import seed from "../../../../db/programme.json";
import "#brand/texts.server.ts";
import { replay } from "./replay.server.ts";
import { createDayTotals, createLots } from "./replay-sums.server.ts";

const day = (number: number) => new Date(Date.UTC(2025, 0, 1 + number)).toISOString().slice(0, 10);
const days = fc.nat({ max: 800 });

test("the points of days are those added between the first and the last", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(days, fc.integer({ min: -500, max: 500 }))), days, days, (added, one, two) => {
      const totals = createDayTotals();
      for (const [on, points] of added) totals.add(day(on), points);
      const [first, last] = [Math.min(one, two), Math.max(one, two)];
      const expected = added.filter(([on]) => on >= first && on <= last).reduce((sum, [, points]) => sum + points, 0);
      expect(totals.between(day(first), day(last))).toBe(expected);
    }),
  );
});

/** The rule in plain words: every lot is looked at every time. */
function plainLots() {
  const lots: { sale: string; expiresOn: string; left: number; lapsed: number }[] = [];
  const take = (points: number) => {
    let due = points;
    for (const lot of [...lots].sort((a, b) => (a.expiresOn < b.expiresOn ? -1 : a.expiresOn > b.expiresOn ? 1 : 0))) {
      const taken = Math.min(lot.left, due);
      lot.left -= taken;
      due -= taken;
    }
    return due;
  };
  return {
    balance: () => lots.reduce((sum, { left }) => sum + left, 0),
    take,
    add: (points: number, expiresOn: string, sale: string) =>
      void lots.push({ sale, expiresOn, left: points, lapsed: 0 }),
    lapse(today: string) {
      for (const lot of lots.filter(({ expiresOn }) => expiresOn < today)) {
        lot.lapsed += lot.left;
        lot.left = 0;
      }
    },
    takeBack(sale: string, points: number) {
      const own = lots.find((lot) => lot.sale === sale);
      const taken = Math.min(own?.left ?? 0, points);
      if (own) own.left -= taken;
      const lapsed = Math.min(own?.lapsed ?? 0, points - taken);
      if (own) own.lapsed -= lapsed;
      return take(points - taken - lapsed);
    },
  };
}

test("whatever is earned, spent, returned and lapses in whatever order, the lots are those of the plain rule", () => {
  const act = fc.record({
    kind: fc.constantFrom("add", "take", "lapse", "takeBack"),
    points: fc.integer({ min: 1, max: 300 }),
    on: days,
    sale: fc.nat({ max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const [lots, plain] = [createLots(), plainLots()];
      for (const { kind, points, on, sale } of acts) {
        const outcomes = [lots, plain].map((each) => {
          if (kind === "add") return each.add(points, day(on), String(sale));
          if (kind === "take") return each.take(points);
          if (kind === "takeBack") return each.takeBack(String(sale), points);
          return each.lapse(day(on));
        });
        expect(outcomes[0]).toBe(outcomes[1]);
        expect(lots.balance()).toBe(plain.balance());
      }
    }),
  );
});

test("thirty thousand receipts of one card are played in a moment", () => {
  const acts = Array.from({ length: 30_000 }, (_, n) => {
    const [sale, soldOn] = [`S-${n}`, day(Math.floor(n / 50))];
    const lines = [{ line: "1", cents: 1_000, earns: true, shareCents: 0, paidCents: 1_000 }];
    const rule = { pointsPerEuro: 1, multiplierHundredths: 100 };
    return { kind: "sale" as const, day: soldOn, sale, soldOn, lines, rule, expiresOn: null, credited: true };
  });
  const taken = startProcessorTimer();
  const played = replay({ memberSince: day(0), acts }, seed as never, { from: day(0), until: day(700) });
  // Every receipt earns 10 points, times 1.25 from 1 000 on, and 1.5 from 2 500 on.
  expect(played).toMatchObject({ balance: played.issued, debt: 0, tierId: 3 });
  // Half a second on a quiet machine; minutes if each receipt looked at all before it.
  expect(taken()).toBeLessThan(15_000);
});
