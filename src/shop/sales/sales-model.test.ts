import fc from "fast-check";
import { expect, test } from "vitest";
import { listCustomerRewards } from "#loyalty/calls.ts";
import { expectInvariants, refusalOf } from "#testing/club.server.ts";
import { openTestShop } from "#testing/shop.server.ts";
import { amountOf, centsOf } from "./amounts.server.ts";

const { addMember, clock, database, openShop } = await openTestShop();

/** A sale as the simplest model knows it: what was paid on each line, and what was given back of it. */
interface ModelSale {
  number: string;
  multiplier: number;
  lines: { line: string; paid: number; share: number; earns: boolean; returned: number; touched: boolean }[];
  vouchers: number;
}

const leftPoints = (sale: ModelSale) => {
  const cents = sale.lines.reduce((sum, { paid, returned, earns }) => sum + (earns ? paid - returned : 0), 0);
  return Math.floor((cents * sale.multiplier) / 10_000);
};

const line = fc.record({ cents: fc.integer({ min: 0, max: 60_000 }), earns: fc.boolean() });
const actions = fc.oneof(
  fc.record({
    kind: fc.constant("sell" as const),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    vouchers: fc.integer({ min: 0, max: 2 }),
    replays: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({
    kind: fc.constant("return" as const),
    sale: fc.nat(),
    line: fc.nat(),
    /** Of what is left of the line; null: all of it. */
    percent: fc.option(fc.integer({ min: 0, max: 100 })),
    replays: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({ kind: fc.constant("returnAll" as const), sale: fc.nat() }),
  fc.record({ kind: fc.constant("exchange" as const), sale: fc.nat(), line: fc.nat(), cents: fc.nat(30_000) }),
  fc.record({ kind: fc.constant("early" as const), cents: fc.integer({ min: 100, max: 30_000 }), back: fc.nat(100) }),
  fc.record({ kind: fc.constant("obtain" as const) }),
);
type Action = typeof actions extends fc.Arbitrary<infer One> ? One : never;

test("whatever is bought, returned, exchanged and repeated in whatever order: points, debt and status are the model's", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 6, maxLength: 14 }), play),
    // As many as a minute of processor time allows; FUZZ_RUNS plays more.
    { numRuns: Number(process.env["FUZZ_RUNS"] ?? 8), interruptAfterTimeLimit: 15_000 },
  );
});

async function play(all: Action[]): Promise<void> {
  const till = await openShop();
  const member = await addMember(900);
  const sales: ModelSale[] = [];
  let spent = 0;
  let available: string[] = [];

  const earned = () => 250 + 900 + sales.reduce((sum, sale) => sum + leftPoints(sale), 0);
  const multiplier = () => (earned() >= 3_000 ? 150 : earned() >= 1_000 ? 125 : 100);
  const pick = (n: number) => sales[n % Math.max(1, sales.length)];
  const refresh = async () => {
    const { CustomerRewards } = await member.call(listCustomerRewards, { LoyaltyRewardState: "available" });
    available = CustomerRewards.map(({ Code }) => Code);
  };

  /** What was given back, as the model notes it; the vouchers come back when every line they touched did. */
  function giveBack(sale: ModelSale, refunds: readonly { Line: string; Amount: string }[]): boolean {
    const complete = () =>
      sale.vouchers > 0 && sale.lines.every((one) => one.share === 0 || (one.touched && one.returned === one.paid));
    const before = complete();
    for (const { Line, Amount } of refunds) {
      const given = sale.lines.find((one) => one.line === Line);
      if (!given) throw new Error("A refund of a line that was not sold.");
      given.returned += centsOf(Amount);
      given.touched = true;
      expect(given.returned).toBeLessThanOrEqual(given.paid);
    }
    return complete() && !before;
  }

  async function repeat<T>(replays: number, send: () => Promise<T>): Promise<T> {
    const first = await send();
    for (let n = 0; n < replays; n += 1) expect(await send()).toEqual(first);
    return first;
  }

  async function act(action: Action): Promise<void> {
    // Another day for each, since more than five purchases in a day wait.
    clock.now = new Date(clock.now.getTime() + 24 * 3_600_000);
    const moments = { SoldAt: clock.now.toISOString(), SentAt: clock.now.toISOString() };
    if (action.kind === "obtain") {
      const { Available } = await member.points();
      if (Available < 250) return;
      await member.obtain();
      spent += 250;
    }
    if (action.kind === "sell") {
      const Lines = action.lines.map(({ cents, earns }, n) => ({
        ...{ Line: String(n + 1), Amount: amountOf(cents), Earns: earns },
      }));
      const eligible = action.lines.reduce((sum, { cents, earns }) => sum + (earns ? cents : 0), 0);
      // Each of 10 €, and each needs as much left in the basket.
      const codes = available.slice(0, Math.min(action.vouchers, Math.floor(eligible / 1_000)));
      const rate = multiplier();
      const ReceiptNumber = till.newNumber();
      const purchase = { ReceiptNumber, CardNumber: member.card, Lines, ...moments };
      const sold = await repeat(action.replays, () =>
        till.sell(codes.length > 0 ? { ...purchase, VoucherCodes: codes.join(",") } : purchase),
      );
      const sale: ModelSale = {
        number: ReceiptNumber,
        multiplier: rate,
        vouchers: codes.length,
        lines: sold.Lines.map(({ Line, Paid, VoucherShare }, n) => ({
          ...{ line: Line, paid: centsOf(Paid), share: centsOf(VoucherShare), returned: 0, touched: false },
          earns: action.lines[n]?.earns ?? false,
        })),
      };
      expect(sale.lines.reduce((sum, { share }) => sum + share, 0)).toBe(codes.length * 1_000);
      for (const [n, { paid, share }] of sale.lines.entries()) expect(paid + share).toBe(action.lines[n]?.cents);
      expect(sold.Points.Earned).toBe(leftPoints(sale));
      sales.push(sale);
    }
    const sale = "sale" in action ? pick(action.sale) : undefined;
    if (sale && (action.kind === "return" || action.kind === "exchange")) {
      const given = sale.lines[action.line % sale.lines.length];
      if (!given) return;
      const gone = given.touched && given.returned === given.paid;
      if (action.kind === "return") {
        const left = given.paid - given.returned;
        const asked = action.percent === null ? {} : { Amount: amountOf(Math.floor((left * action.percent) / 100)) };
        const ReceiptNumber = till.newNumber();
        const send = () => till.takeBack(sale.number, [{ Line: given.line, ...asked }], { ReceiptNumber });
        if (gone) expect((await refusalOf(send())).code).toBe("more_than_bought");
        else giveBack(sale, (await repeat(action.replays, send)).Refunds);
      } else if (!gone) {
        const rate = multiplier();
        const ReceiptNumber = till.newNumber();
        const ReturnOf = { OriginalReceiptNumber: sale.number, Lines: [{ Line: given.line }] };
        const exchange = {
          ReceiptNumber,
          CardNumber: member.card,
          Amount: amountOf(action.cents),
          ReturnOf,
          ...moments,
        };
        const sold = await till.sell(exchange);
        const lines = [{ line: "1", paid: action.cents, share: 0, earns: true, returned: 0, touched: false }];
        sales.push({ number: ReceiptNumber, multiplier: rate, vouchers: 0, lines });
        giveBack(sale, sold.Refunds ?? []);
      }
    }
    if (sale && action.kind === "returnAll") {
      const left = sale.lines.some(({ touched, returned, paid }) => !(touched && returned === paid));
      if (left) giveBack(sale, (await till.takeBack(sale.number)).Refunds);
      else expect((await refusalOf(till.takeBack(sale.number))).code).toBe("more_than_bought");
    }
    if (action.kind === "early") {
      const rate = multiplier();
      const ReceiptNumber = till.newNumber();
      const Amount = amountOf(Math.floor((action.cents * action.back) / 100));
      const back = till.newNumber();
      await till.takeBack(ReceiptNumber, undefined, { Amount, ReceiptNumber: back });
      await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: amountOf(action.cents), ...moments });
      const lines = [
        { line: "1", paid: action.cents, share: 0, earns: true, returned: centsOf(Amount), touched: true },
      ];
      sales.push({ number: ReceiptNumber, multiplier: rate, vouchers: 0, lines });
    }
  }

  for (const action of all) {
    await act(action);
    await refresh();
    const points = await member.points();
    expect(points.EarnedLast12Months).toBe(earned());
    expect(points.Available - points.Debt).toBe(earned() - spent);
    expect(Math.min(points.Available, points.Debt)).toBe(0);
  }
  await expectInvariants(database);
}
