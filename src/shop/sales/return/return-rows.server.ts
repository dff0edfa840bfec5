import { and, eq, inArray } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import { describePending } from "#loyalty/ledger/ledger.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { returnPartNumber } from "#shop/sales/amend/amended-sale.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import { returns, sales } from "#shop/sales/sales.tables.server.ts";
import { type Applied, amountsByLine } from "./take-back.server.ts";

export type ReturnRow = Omit<typeof returns.$inferSelect, "writtenIn">;

export type Written = Pick<ReturnRow, "shopId" | "number" | "kind" | "asked" | "returnedAt">;

/** The row of a return; without what it did it waits for its sale. */
export function rowOf(caller: KeyCaller, written: Written, original: ReceiptKey, done: Applied | undefined): ReturnRow {
  return {
    ...written,
    keyPrefix: caller.prefix,
    staffId: caller.staff?.id ?? null,
    saleShopId: original.shopId,
    saleNumber: original.number,
    state: done ? "applied" : "waiting",
    waited: !done,
    refunds: done?.refunds ?? [],
    reissued: done?.reissued ?? [],
    cancelled: done?.cancelled ?? [],
    taken: done?.taken ?? 0,
    available: done?.available ?? null,
    debt: done?.debt ?? null,
    pending: done?.pending ?? null,
    nextPending: done?.nextPending ?? null,
    campaignId: done?.campaignId ?? null,
    campaignPoints: done?.campaignPoints ?? 0,
    undoneAt: null,
    undoneBy: null,
  };
}

/** The parts of a return as one: money and points together, and what the customer has after the last. */
export function asOne(rows: readonly ReturnRow[]): ReturnRow {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) throw new Error("A return without parts.");
  if (first === last) return first;
  const amounts = amountsByLine(rows.flatMap(({ refunds }) => refunds));
  return {
    ...last,
    number: first.number,
    refunds: [...amounts].map(([line, cents]) => ({ line, cents })).sort((a, b) => Number(a.line) - Number(b.line)),
    reissued: rows.flatMap(({ reissued }) => reissued),
    cancelled: rows.flatMap(({ cancelled }) => cancelled),
    taken: rows.reduce((sum, { taken }) => sum + taken, 0),
  };
}

/** A return, by its natural key. */
type ReturnKey = ReceiptKey & Pick<ReturnRow, "kind">;

export async function findReturn(tx: Queries, { shopId, number, kind }: ReturnKey): Promise<ReturnRow | undefined> {
  const [row] = await tx
    .select()
    .from(returns)
    .where(and(eq(returns.shopId, shopId), eq(returns.number, number), eq(returns.kind, kind)));
  return row;
}

/** A return, and where the sale had been amended its further parts, in their order. */
export async function readParts(tx: Queries, key: ReturnKey): Promise<ReturnRow[]> {
  const row = await findReturn(tx, key);
  if (!row) throw new Refusal("receipt_known");
  const [base = ""] = row.saleNumber.split("~");
  const additions = await tx
    .select({ number: sales.number })
    .from(sales)
    .where(and(eq(sales.shopId, row.saleShopId), eq(sales.amends, base)));
  if (additions.length === 0) return [row];
  const numbers = additions.map((_, place) => returnPartNumber(key, place + 2));
  const { shopId, kind } = key;
  const parts = await tx
    .select()
    .from(returns)
    .where(and(eq(returns.shopId, shopId), eq(returns.kind, kind), inArray(returns.number, numbers)));
  return [row, ...parts.sort((a, b) => numbers.indexOf(a.number) - numbers.indexOf(b.number))];
}

export const readReturn = async (tx: Queries, key: ReturnKey): Promise<ReturnRow> => asOne(await readParts(tx, key));

/** What a sale gave back in exchange. Of an order that was edited it has parts, which are read as one. */
export async function findExchange(tx: Queries, receipt: ReceiptKey): Promise<ReturnRow | undefined> {
  const key = { ...receipt, kind: "exchange" as const };
  return (await findReturn(tx, key)) && readReturn(tx, key);
}

/** The answer, the same at every repetition: one that arrived before its sale has taken nothing, whatever became of it. */
export function describeReturn(row: ReturnRow) {
  if (row.waited)
    return {
      Points: { Taken: 0, Available: 0, ...describePending(null), Debt: 0 },
      ...{ Refunds: [], ReissuedVouchers: [], CancelledVouchers: [] },
      Waiting: true as const,
    };
  return {
    Points: { Taken: row.taken, Available: row.available ?? 0, ...pendingOf(row), Debt: row.debt ?? 0 },
    Refunds: row.refunds.map(({ line, cents }) => ({ Line: line, Amount: amountOf(cents) })),
    // Without the code, which is money: it goes to the customer alone.
    ReissuedVouchers: row.reissued.map(({ valueCents, expiresAt }) => ({
      Value: amountOf(valueCents),
      ExpiresAt: expiresAt,
    })),
    CancelledVouchers: row.cancelled.map(({ valueCents }) => ({ Value: amountOf(valueCents) })),
  };
}

/** The pending points stored with a sale or a return, in the API's field names. */
export const pendingOf = ({ pending, nextPending }: Pick<ReturnRow, "pending" | "nextPending">) =>
  describePending(pending === null ? null : { points: pending, next: nextPending });

export const auditedReturn = (row: ReturnRow) => ({
  receipt: row.number,
  ofShop: row.saleShopId,
  ofReceipt: row.saleNumber,
  taken: row.taken,
  reissued: row.reissued.length,
});
