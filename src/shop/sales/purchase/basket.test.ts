import fc from "fast-check";
import { expect, test } from "vitest";
// The currency of the brand.
import "#brand/texts.server.ts";
import { lineReason } from "#loyalty/programme/line-rule.ts";
import {
  type BasketLine,
  type BasketVoucher,
  linesLeft,
  pointsOf,
  priceBasket,
  spread,
  withBestCampaign,
} from "./basket.server.ts";

const soie = { pointsPerEuro: 1, multiplierHundredths: 125 };
const line = (name: string, cents: number, earns = true): BasketLine => ({ line: name, cents, earns });
const voucher = (code: string, valueCents: number, minimumCents = valueCents) => ({ code, valueCents, minimumCents });

const dress = line("1", 8_990);
const scarf = line("2", 3_995);
const giftCard = line("3", 5_000, false);

test("a dress, a scarf, a gift card and a voucher of 10 euros: shares, what was paid, and 149 points", () => {
  const priced = priceBasket([dress, scarf, giftCard], [voucher("V", 1_000)]);
  expect(priced.lines.map(({ shareCents }) => shareCents)).toEqual([692, 308, 0]);
  expect(priced.lines.map(({ paidCents }) => paidCents)).toEqual([8_298, 3_687, 5_000]);
  expect(priced.vouchers).toEqual([{ code: "V", takenCents: 1_000 }]);
  expect(pointsOf(priced.lines, soie)).toBe(149);
});

test("the scarf returned leaves 103 points, so 46 are taken; the dress too leaves none", () => {
  const { lines } = priceBasket([dress, scarf, giftCard], [voucher("V", 1_000)]);
  expect(pointsOf(linesLeft(lines, new Map([["2", 3_687]])), soie)).toBe(103);
  const nothing = new Map([
    ["1", 8_298],
    ["2", 3_687],
  ]);
  expect(pointsOf(linesLeft(lines, nothing), soie)).toBe(0);
});

test("three lines of 9.99 earn 37 points: rounded down once, not line by line", () => {
  expect(
    pointsOf(
      priceBasket(
        [1, 2, 3].map((n) => line(String(n), 999)),
        [],
      ).lines,
      soie,
    ),
  ).toBe(37);
});

test("no change is given, and a voucher whose minimum is not reached is left out by name", () => {
  expect(priceBasket([line("1", 600)], [voucher("V", 1_000, 500)]).vouchers).toEqual([{ code: "V", takenCents: 600 }]);
  const { vouchers, tooSmall } = priceBasket([line("1", 1_500)], [voucher("A", 1_000), voucher("B", 1_000)]);
  expect(vouchers).toEqual([{ code: "A", takenCents: 1_000 }]);
  expect(tooSmall).toEqual([{ code: "B", lines: [] }]);
  // A gift card is no basket for a voucher.
  expect(priceBasket([giftCard], [voucher("A", 1_000)]).tooSmall).toEqual([
    { code: "A", lines: [{ line: giftCard.line, reason: "no_points" }] },
  ]);
});

test("of equal remainders the earlier line takes the cent", () => {
  expect(spread(100, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(spread(2, [5, 0, 5])).toEqual([1, 0, 1]);
  expect(spread(5, [])).toEqual([]);
});

test("vouchers apply in the order sent, each to the lines that it may pay", () => {
  const lines = [line("1", 6_000), { ...line("2", 4_000), priceType: "sale" as const }];
  const fullOnly = { ...voucher("F", 1_000), usableOn: { priceTypes: ["full" as const] } };
  const sharesOf = (vouchers: BasketVoucher[]) =>
    priceBasket(lines, vouchers).lines.map(({ shareCents }) => shareCents);
  expect(sharesOf([fullOnly])).toEqual([1_000, 0]);
  expect(sharesOf([fullOnly, voucher("A", 900)])).toEqual([1_500, 400]);
  expect(sharesOf([voucher("A", 900), fullOnly])).toEqual([1_540, 360]);
  // Of both, what they take together is spread once.
  expect(sharesOf([voucher("A", 333), voucher("B", 333)])).toEqual([400, 266]);
});

test("a rule about lines: all its parts hold, gift cards never count, and an empty one is about every line", () => {
  const rule = {
    priceTypes: ["full" as const],
    anyCode: ["knitwear"],
    noCode: ["archive"],
    minimumLineAmount: "20.00",
  };
  const fits = { cents: 2_000, codes: ["knitwear", "x"] };
  expect(lineReason(fits, rule)).toBeUndefined();
  expect(lineReason({ ...fits, priceType: "outlet" }, rule)).toBe("price_type");
  expect(lineReason({ ...fits, codes: ["x"] }, rule)).toBe("code");
  expect(lineReason({ ...fits, codes: ["knitwear", "archive"] }, rule)).toBe("code");
  expect(lineReason({ ...fits, cents: 1_999 }, rule)).toBe("amount");
  for (const all of [{}, null]) {
    expect(lineReason({ cents: 0, priceType: "service" }, all)).toBeUndefined();
    expect(lineReason({ cents: 1, priceType: "giftcard" }, all)).toBe("gift_card");
  }
});

const cents = fc.integer({ min: 0, max: 99_999_999 });
const baskets = fc.array(fc.record({ cents, earns: fc.boolean() }), { minLength: 1, maxLength: 200 });
const named = (lines: { cents: number; earns: boolean }[]): BasketLine[] =>
  lines.map((one, index) => ({ ...one, line: String(index + 1) }));
const vouchersOf = fc.array(fc.record({ valueCents: fc.integer({ min: 1, max: 500_000 }), minimumCents: cents }), {
  maxLength: 10,
});

test("whatever is bought with whatever vouchers: shares add up to the cent, and no line is paid below nothing", () => {
  fc.assert(
    fc.property(baskets, vouchersOf, (lines, given) => {
      const vouchers = given.map((one, index) => ({ ...one, code: `V${index}` }));
      const priced = priceBasket(named(lines), vouchers);
      const shares = priced.lines.map(({ shareCents }) => shareCents);
      const total = (values: number[]) => values.reduce((all, one) => all + one, 0);
      expect(total(shares)).toBe(total(priced.vouchers.map(({ takenCents }) => takenCents)));
      for (const { cents: price, earns, shareCents, paidCents } of priced.lines) {
        expect(paidCents).toBe(price - shareCents);
        expect(shareCents).toBeGreaterThanOrEqual(0);
        expect(paidCents).toBeGreaterThanOrEqual(0);
        if (!earns) expect(shareCents).toBe(0);
      }
      expect(priced.vouchers.length + priced.tooSmall.length).toBe(vouchers.length);
    }),
  );
});

test("in whatever order a sale is returned, the points taken add up to what it earned", () => {
  const rules = fc.record({
    pointsPerEuro: fc.integer({ min: 0, max: 20 }),
    multiplierHundredths: fc.integer({ min: 0, max: 1_000 }),
  });
  const added = fc.option(fc.integer({ min: 1, max: 10_000 }));
  fc.assert(
    fc.property(baskets, rules, added, fc.array(fc.nat(), { maxLength: 20 }), (lines, base, extraPoints, picks) => {
      const priced = priceBasket(named(lines), []).lines;
      const campaign = { id: 1, multiplierHundredths: extraPoints === null ? 150 : null, extraPoints };
      const rule = withBestCampaign(priced, base, [{ ...campaign, minimumCents: null }]);
      const earned = pointsOf(priced, rule);
      const returned = new Map<string, number>();
      let left = earned;
      let taken = 0;
      const giveBack = (index: number, part: number) => {
        const { line: name, paidCents } = priced[index % priced.length] ?? { line: "", paidCents: 0 };
        const already = returned.get(name) ?? 0;
        returned.set(name, already + Math.floor((paidCents - already) / part));
        const now = pointsOf(linesLeft(priced, returned), rule);
        expect(now).toBeLessThanOrEqual(left);
        taken += left - now;
        left = now;
      };
      for (const pick of picks) giveBack(pick, 1 + (pick % 3));
      for (let index = 0; index < priced.length; index += 1) giveBack(index, 1);
      expect(left).toBe(0);
      expect(taken).toBe(earned);
    }),
  );
});
