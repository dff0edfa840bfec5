import { sql } from "drizzle-orm";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { findAdditions, returnPartNumber, splitRefunds, wholeOf } from "#shop/sales/amend/amended-sale.server.ts";
import { auditSale, auditShopCall, refuseOwnCard } from "#shop/sales/at-till.server.ts";
import { inSale, type ShopDependencies } from "#shop/sales/dependencies.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import { openReceipt, timeOfSale } from "#shop/sales/receipts.server.ts";
import { type Asked, returns } from "#shop/sales/sales.tables.server.ts";
import { isProved, type ReceiptProof } from "./receipt-proof.server.ts";
import {
  asOne,
  auditedReturn,
  describeReturn,
  type ReturnRow,
  readReturn,
  rowOf,
  type Written,
} from "./return-rows.server.ts";
import {
  type Applied,
  amountsByLine,
  applyReturn,
  lockSale,
  type OriginalSale,
  refundsOf,
} from "./take-back.server.ts";

/** Which sale is given back, and what of it. */
export interface ReturnOf {
  originalNumber: string;
  originalShopId: number | undefined;
  /** That a receipt of another shop is at hand. */
  proof?: ReceiptProof | undefined;
  asked: Asked;
}

export interface Return {
  receiptNumber: string;
  returnOf: ReturnOf;
  soldAt: Date | undefined;
  sentAt: Date | undefined;
  /** Before its sale has arrived it waits; otherwise it is refused. */
  mayWait: boolean;
}

/** A return, once. Before its sale has arrived it waits for it, if it may. */
export async function postReturn(deps: ShopDependencies, caller: KeyCaller, asked: Return, now: Date) {
  const { receiptNumber, returnOf } = asked;
  const receipt = { shopId: caller.shopId, number: receiptNumber };
  return inSale(deps, caller, async (tx) => {
    const content = ["return", returnOf, asked.soldAt];
    await lockReceipts(tx, caller, receiptNumber, returnOf);
    const { repeated } = await openReceipt(tx, receipt, content, now);
    if (repeated) {
      await auditSale(tx, caller, now, { action: "return", after: { receipt: receiptNumber, repeated } });
      return describeReturn(await readReturn(tx, { ...receipt, kind: "return" }));
    }
    const { soldAt } = timeOfSale({ soldAt: asked.soldAt ?? now, sentAt: asked.sentAt, now });
    const { mayWait } = asked;
    const returning = { kind: "return" as const, number: receiptNumber, returnOf, returnedAt: soldAt, mayWait };
    const { row, customerId } = await takeBack(tx, deps, caller, returning, now);
    if (row.saleShopId === caller.shopId)
      await auditSale(tx, caller, now, { action: "return", customerId, after: auditedReturn(row) });
    return describeReturn(row);
  });
}

interface Returning {
  kind: "return" | "exchange";
  number: string;
  returnOf: ReturnOf;
  returnedAt: Date;
  mayWait: boolean;
}

/** Applies and writes a return, or lets it wait for its sale. */
export async function takeBack(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  caller: KeyCaller,
  returning: Returning,
  now: Date,
) {
  const { returnOf, kind, number, returnedAt, mayWait } = returning;
  const { originalNumber, originalShopId = caller.shopId, asked } = returnOf;
  const sale = await lockOriginal(tx, caller, returnOf);
  // A mistyped number, its own sale in an exchange, or a number that stands for a return.
  if (!sale && (!mayWait || originalNumber === number || (await isTaken(tx, originalShopId, originalNumber))))
    throw new Refusal("receipt_not_found");
  await refuseOwnCard(tx, caller, sale?.customerId);
  const written = { shopId: caller.shopId, number, kind, asked, returnedAt };
  const original = sale ?? { shopId: originalShopId, number: originalNumber };
  const row = sale ? await giveBack(tx, deps, caller, sale, written, now) : rowOf(caller, written, original, undefined);
  if (!sale) await tx.insert(returns).values(row);
  const customerId = sale?.customerId ?? null;
  if (original.shopId !== caller.shopId)
    await auditShopCall(tx, caller, now, { action: "return_other_shop", customerId, after: auditedReturn(row) });
  return { row, customerId };
}

/** Applies and writes a return of a sale, whose parts are answered as one. */
export async function giveBack(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  caller: KeyCaller,
  sale: OriginalSale,
  written: Written,
  now: Date,
  /** The addition that the same amendment has just made: nothing of it is given back. */
  except?: string,
): Promise<ReturnRow> {
  const parts = await applyParts(tx, deps, caller, sale, written, now, except);
  const rows = parts.map(({ own, part, done }) => rowOf(caller, own, part, done));
  await tx.insert(returns).values(rows);
  return asOne(rows);
}

/**
 * Applies a return of a sale. Of one that was amended each part gives back its own lines, as a return of its own under the
 * number of this one. The caller writes the rows.
 */
export async function applyParts<Own extends Pick<Written, "shopId" | "number" | "kind" | "asked">>(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  caller: Pick<KeyCaller, "shopName">,
  sale: OriginalSale,
  written: Own,
  now: Date,
  except?: string,
) {
  const parts = [sale, ...(await findAdditions(tx, sale)).filter(({ number }) => number !== except)];
  const whole = wholeOf(sale, parts.slice(1));
  const split =
    parts.length === 1
      ? [{ part: sale, asked: written.asked }]
      : splitRefunds(parts, refundsOf(whole, amountsByLine(whole.returned), written.asked)).map(
          ({ part, refunds }) => ({
            ...{ part, asked: { lines: refunds } },
          }),
        );
  const applied: { own: Own; part: OriginalSale; done: Applied }[] = [];
  for (const [place, { part, asked }] of split.entries()) {
    const number = place === 0 ? written.number : returnPartNumber(written, place + 1);
    if (place > 0) await openReceipt(tx, { shopId: written.shopId, number }, ["part"], now);
    const own = { ...written, number, asked };
    const done = await applyReturn(tx, deps, caller, part, { ...own, exchangeNumber: written.number }, now);
    applied.push({ own, part, done });
  }
  return applied;
}

/** The number belongs to something else than a sale with amounts. */
async function isTaken(tx: Queries, shopId: number, number: string): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`select from shop_receipt where shop_id = ${shopId} and number = ${number}`);
  return (rowCount ?? 0) > 0;
}

/** The answer that a return would get. It is carried out, so the transaction must be rolled back. */
export async function previewReturn(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  caller: KeyCaller,
  sale: OriginalSale,
  asked: Asked,
  now: Date,
) {
  // No receipt has this number.
  const written = { shopId: caller.shopId, number: "", kind: "return" as const, asked, returnedAt: now };
  await openReceipt(tx, { shopId: caller.shopId, number: "" }, ["preview"], now);
  return describeReturn(await giveBack(tx, deps, caller, sale, written, now));
}

/**
 * The numbers of a receipt and of the sale that it gives back, in one order: of two receipts that give back each other,
 * one waits for the other.
 */
export async function lockReceipts(
  tx: Queries,
  { shopId }: KeyCaller,
  number: string,
  { originalShopId = shopId, originalNumber }: ReturnOf,
): Promise<void> {
  const receipts = [`${shopId}:${number}`, `${originalShopId}:${originalNumber}`];
  // As db/functions/shop_receipt_open.sql locks them. OFFSET 0: they are locked once they are in order.
  await tx.execute(sql`
    select pg_advisory_xact_lock(key) from (
      select hashtextextended(receipt, 17) as key from unnest(${sql.param(receipts)}::text[]) receipt
      order by key offset 0) ordered`);
}

/** The sale that a return names, by its natural key. */
export const receiptOf = (
  { shopId }: KeyCaller,
  { originalShopId = shopId, originalNumber }: ReturnOf,
): ReceiptKey => ({
  shopId: originalShopId,
  number: originalNumber,
});

/**
 * The sale that is given back, once no one else sells or returns under its number. One of another shop must be proved, and
 * an unknown one does not wait: otherwise any key could cancel the sales of every shop, those included that have not
 * arrived yet.
 */
export async function lockOriginal(tx: Queries, caller: KeyCaller, returnOf: ReturnOf) {
  const receipt = receiptOf(caller, returnOf);
  const sale = await lockSale(tx, receipt);
  const isOwn = receipt.shopId === caller.shopId;
  if (!isOwn && !(await isProved(tx, receipt, returnOf.proof))) throw new Refusal("receipt_not_found");
  return sale;
}
