/** One position of a sale, as typed: an amount in euros, and whether it earns. No goods have names here. */
export interface GoodsLine {
  cents: number;
  earns: boolean;
}

/** An amount so large is rare in a shop: the till asks once whether it is meant. */
export const unusualCents = 100_000;

const amountPattern = /^(\d{1,6})(?:[.,](\d{1,2}))?$/;

/** "89,9" or "89.90" in cents; undefined for what is no amount. */
export function centsOf(typed: string): number | undefined {
  const [, euros, cents = ""] = amountPattern.exec(typed.trim().replace(/\s*€$/, "")) ?? [];
  return euros === undefined ? undefined : Number(euros) * 100 + Number(cents.padEnd(2, "0"));
}

export const eurosOf = (cents: number) => (cents / 100).toFixed(2);

/** Amounts of the API ("24.90") summed as whole cents: sums of fractions are not exact. */
export const sumCents = (amounts: readonly string[]) =>
  amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0);

export const totalOf = (lines: readonly GoodsLine[]) => lines.reduce((sum, { cents }) => sum + cents, 0);

/** The goods as a sale has them: one amount where that says everything, else numbered lines. */
export function goodsOf(lines: readonly GoodsLine[]) {
  const [only, ...more] = lines;
  if (only?.earns && more.length === 0) return { Amount: eurosOf(only.cents) };
  return {
    Lines: lines.map(({ cents, earns }, index) => ({ Line: String(index + 1), Amount: eurosOf(cents), Earns: earns })),
  };
}

/** The same as fields of a call, where lines are JSON. */
export function goodsFields(lines: readonly GoodsLine[]): { Amount?: string; Lines?: string } {
  const { Amount, Lines } = goodsOf(lines);
  return { ...(Amount && { Amount }), ...(Lines && { Lines: JSON.stringify(Lines) }) };
}

/** The goods of a sale that waited on this device, as they were typed. */
export function linesOf({ Amount, Lines }: { Amount?: string; Lines?: { Amount: string; Earns?: boolean }[] }) {
  const lines = Lines ?? (Amount === undefined ? [] : [{ Amount, Earns: true }]);
  return lines.map((line): GoodsLine => ({ cents: centsOf(line.Amount) ?? 0, earns: line.Earns ?? true }));
}
