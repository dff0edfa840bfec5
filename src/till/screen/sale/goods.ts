import { amountOf, centsOf } from "#brand/amounts.ts";
import type { PriceType } from "#loyalty/programme/line-rule.ts";
import type { SentLine } from "#till/queue/database.ts";

/** One position of a sale, as typed: its amount, whether it earns, and what it says of itself. No goods have names here. */
export interface GoodsLine {
  cents: number;
  earns: boolean;
  PriceType?: PriceType | undefined;
  Codes?: string[] | undefined;
}

/** An amount so large is rare in a shop: the till asks once whether it is meant. */
export const unusualCents = 100_000;

export const totalOf = (lines: readonly GoodsLine[]) => lines.reduce((sum, { cents }) => sum + cents, 0);

/** The goods as a sale has them: one amount where that says everything, else numbered lines. */
export function goodsOf(lines: readonly GoodsLine[]) {
  const [only, ...more] = lines;
  if (only?.earns && !only.PriceType && !only.Codes && more.length === 0) return { Amount: amountOf(only.cents) };
  return {
    Lines: lines.map(({ cents, earns, ...said }, index) => ({
      ...{ Line: String(index + 1), Amount: amountOf(cents), Earns: earns },
      ...said,
    })),
  };
}

/** The same as fields of a call, where lines are JSON. */
export function goodsFields(lines: readonly GoodsLine[]): { Amount?: string; Lines?: string } {
  const { Amount, Lines } = goodsOf(lines);
  return { ...(Amount && { Amount }), ...(Lines && { Lines: JSON.stringify(Lines) }) };
}

/** The goods of a sale that waited on this device, as they were typed. */
export function linesOf({ Amount, Lines }: { Amount?: string; Lines?: readonly SentLine[] }) {
  const lines: readonly SentLine[] = Lines ?? (Amount === undefined ? [] : [{ Amount }]);
  return lines.map(
    ({ Amount: price, Earns = true, PriceType, Codes }): GoodsLine => ({
      ...{ cents: centsOf(price), earns: Earns },
      ...(PriceType && { PriceType }),
      ...(Codes && { Codes }),
    }),
  );
}
