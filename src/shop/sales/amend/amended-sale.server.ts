import { and, asc, eq } from "drizzle-orm";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { PricedLine } from "#shop/sales/purchase/basket.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import { amountsByLine, lockSale, type OriginalSale } from "#shop/sales/return/take-back.server.ts";
import { type Refund, sales } from "#shop/sales/sales.tables.server.ts";

/** The number of an amendment, and of a part of a return. No receipt of a shop has a tilde. */
export const partNumber = (number: string, part: number): string => `${number}~${part}`;

/** Of a part of a return. That of an exchange is none of the numbers that amendments of its new sale will have. */
export const returnPartNumber = ({ number, kind }: { number: string; kind: string }, part: number): string =>
  kind === "exchange" ? `${number}~r${part}` : partNumber(number, part);

/** The sale that a shop names, with its row: never one of its additions. Locked, unless it is only read. */
export async function findFirst(tx: Queries, { shopId, number }: ReceiptKey, find = lockSale) {
  const sale = await find(tx, { shopId, number });
  const [row] = await tx
    .select()
    .from(sales)
    .where(and(eq(sales.shopId, shopId), eq(sales.number, number)));
  if (!sale || !row || row.amends !== null) throw new Refusal("receipt_not_found");
  return { sale, row };
}

/**
 * What amendments have added to a sale, oldest first (docs/decisions/0112-an-amendment-is-a-receipt-under-the-sales-number.md).
 * The caller has locked the sale, which every amendment and return of it locks first, or only reads.
 */
export async function findAdditions(
  tx: Queries,
  { shopId, number }: ReceiptKey,
  find = lockSale,
): Promise<OriginalSale[]> {
  const rows = await tx
    .select({ number: sales.number })
    .from(sales)
    .where(and(eq(sales.shopId, shopId), eq(sales.amends, number)))
    .orderBy(asc(sales.soldAt), asc(sales.number));
  const additions: OriginalSale[] = [];
  for (const row of rows) {
    const addition = await find(tx, { shopId, number: row.number });
    if (addition) additions.push(addition);
  }
  return additions;
}

/** A sale with what was added to it, as one. */
export function wholeOf<Sale extends OriginalSale>(sale: Sale, additions: readonly OriginalSale[]): Sale {
  if (additions.length === 0) return sale;
  const lines = new Map<string, PricedLine>();
  for (const line of [sale, ...additions].flatMap((one) => one.lines)) {
    const known = lines.get(line.line);
    lines.set(line.line, {
      ...line,
      cents: line.cents + (known?.cents ?? 0),
      shareCents: line.shareCents + (known?.shareCents ?? 0),
      paidCents: line.paidCents + (known?.paidCents ?? 0),
    });
  }
  const returned = [sale, ...additions].flatMap((one) => one.returned);
  return { ...sale, lines: [...lines.values()], returned };
}

/**
 * Which part gives back how much: what was added last goes first. A line that vouchers paid in full gives back 0.00, with
 * the last of what was added to it: else its vouchers would come back for a cent.
 */
export function splitRefunds(parts: readonly OriginalSale[], refunds: readonly Refund[]) {
  const paid = amountsByLine(
    parts.flatMap(({ lines }) => lines.map(({ line, paidCents: cents }) => ({ line, cents }))),
  );
  const returned = amountsByLine(parts.flatMap((part) => part.returned));
  const left = refunds.map((refund) => ({
    ...refund,
    isRest: refund.cents === (paid.get(refund.line) ?? 0) - (returned.get(refund.line) ?? 0),
    isPlaced: false,
  }));
  const split = parts
    .toReversed()
    .filter(({ lines, returned }) => lines.some((one) => amountsByLine(returned).get(one.line) !== one.paidCents))
    .map((part) => {
      const returned = amountsByLine(part.returned);
      const own = left.flatMap((refund): Refund[] => {
        const line = part.lines.find((one) => one.line === refund.line);
        if (!line || returned.get(line.line) === line.paidCents) return [];
        const most = line.paidCents - (returned.get(line.line) ?? 0);
        const cents = Math.min(refund.cents, most);
        // Asked for as 0.00 of a line that was paid, it is recorded once, and brings no voucher back.
        if (cents === 0 && !refund.isRest && (refund.isPlaced || most === 0)) return [];
        refund.cents -= cents;
        refund.isPlaced = true;
        return [{ line: line.line, cents }];
      });
      return { part, refunds: own };
    });
  const given = split.filter((one) => one.refunds.length > 0);
  // 0.00, spread over all lines, gives back none of them, and is recorded with what was added last.
  return given.length > 0 ? given : split.slice(0, 1);
}
