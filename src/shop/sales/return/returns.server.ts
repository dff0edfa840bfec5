import { and, eq, inArray, sql } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import { firstPurchaseCause, voucherUseCause } from "#loyalty/emails/emails.server.ts";
import { describePending } from "#loyalty/ledger/ledger.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { withdrawMails } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { findAdditions, partNumber, splitRefunds, wholeOf } from "#shop/sales/amend/amended-sale.server.ts";
import { auditSale, auditShopCall, refuseOwnCard } from "#shop/sales/at-till.server.ts";
import { inSale, type ShopDependencies } from "#shop/sales/dependencies.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import { openReceipt, timeOfSale } from "#shop/sales/receipts.server.ts";
import { type Asked, returns, sales } from "#shop/sales/sales.tables.server.ts";
import { isProved, type ReceiptProof } from "./receipt-proof.server.ts";
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

type ReturnRow = Omit<typeof returns.$inferSelect, "writtenIn">;

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

/** Cancels a sale of the same day as a whole. Named by the sale's own number, so repeating it gives the same answer. */
export async function voidSale(deps: ShopDependencies, caller: KeyCaller, receiptNumber: string, now: Date) {
  return inSale(deps, caller, (tx) => voidIn(tx, deps, caller, receiptNumber, now));
}

/** The same in a transaction of the caller's. */
export async function voidIn(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  caller: KeyCaller,
  receiptNumber: string,
  now: Date,
) {
  const receipt = { shopId: caller.shopId, number: receiptNumber };
  const sale = await lockSale(tx, receipt);
  if (!sale) throw new Refusal("not_found");
  const parts = [sale, ...(await findAdditions(tx, sale))];
  const voided = await readVoids(tx, parts);
  if (voided.length > 0) {
    await auditSale(tx, caller, now, { action: "void", after: { receipt: receiptNumber, repeated: true } });
    return describeReturn(asOne(voided));
  }
  const [day] = (
    await tx.execute<{ same: boolean }>(
      sql`select club_day(${sale.soldAt}::timestamptz) = club_day(${now.toISOString()}::timestamptz) as same`,
    )
  ).rows;
  if (!day?.same) throw new Refusal("not_same_day");
  if (parts.some(({ returned }) => returned.length > 0)) throw new Refusal("more_than_bought");
  await refuseOwnCard(tx, caller, sale.customerId);
  const rows: ReturnRow[] = [];
  for (const part of parts) {
    const written = { shopId: part.shopId, number: part.number, kind: "void" as const, asked: { all: true } as const };
    const done = await applyReturn(tx, deps, caller, part, written, now);
    rows.push(rowOf(caller, { ...written, returnedAt: now }, part, done));
  }
  await tx.insert(returns).values(rows);
  await withdrawSaleEmails(tx, sale, parts);
  const row = asOne(rows);
  await auditSale(tx, caller, now, { action: "void", customerId: sale.customerId, after: auditedReturn(row) });
  return describeReturn(row);
}

/** The emails about a sale that was undone before they were sent: of its vouchers, and of a first purchase if it was that. */
async function withdrawSaleEmails(
  tx: Queries,
  { customerId, soldAt }: OriginalSale & { soldAt: string },
  parts: readonly OriginalSale[],
) {
  const causes = parts.flatMap(({ vouchers }) => vouchers.map(({ code }) => voucherUseCause(code)));
  if (customerId !== null) {
    const { rows } = await tx.execute(sql`
      select from ${sales} s where s.customer_id = ${customerId} and s.sold_at < ${soldAt}::timestamptz
        and not shop_sale_voided(s.shop_id, s.number) limit 1`);
    if (rows.length === 0) causes.push(firstPurchaseCause(customerId));
  }
  if (causes.length > 0) await withdrawMails(tx, causes);
}

/** The voids of a sale and of what amendments added to it, in their order. Each has the number of what it cancels. */
async function readVoids(tx: Queries, parts: readonly ReceiptKey[]): Promise<ReturnRow[]> {
  const numbers = parts.map(({ number }) => number);
  const rows = await tx
    .select()
    .from(returns)
    .where(and(eq(returns.shopId, parts[0]?.shopId ?? 0), eq(returns.kind, "void"), inArray(returns.number, numbers)));
  return rows.sort((a, b) => numbers.indexOf(a.number) - numbers.indexOf(b.number));
}

export const auditedReturn = (row: ReturnRow) => ({
  receipt: row.number,
  ofShop: row.saleShopId,
  ofReceipt: row.saleNumber,
  taken: row.taken,
  reissued: row.reissued.length,
});

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

type Written = Pick<ReturnRow, "shopId" | "number" | "kind" | "asked" | "returnedAt">;

/**
 * Applies and writes a return of a sale. Of one that was amended each part gives back its own lines, as a return of its own
 * under the number of this one; they are answered as one.
 */
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
  const rows: ReturnRow[] = [];
  for (const [place, { part, asked }] of split.entries()) {
    const number = place === 0 ? written.number : partNumber(written.number, place + 1);
    if (place > 0) await openReceipt(tx, { shopId: written.shopId, number }, ["part"], now);
    const own = { ...written, number, asked };
    const done = await applyReturn(tx, deps, caller, part, { ...own, exchangeNumber: written.number }, now);
    rows.push(rowOf(caller, own, part, done));
  }
  await tx.insert(returns).values(rows);
  return asOne(rows);
}

/** The parts of a return as one: money and points together, and what the customer has after the last. */
function asOne(rows: readonly ReturnRow[]): ReturnRow {
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

/** The number belongs to something else than a sale with amounts. */
async function isTaken(tx: Queries, shopId: number, number: string): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`select from shop_receipt where shop_id = ${shopId} and number = ${number}`);
  return (rowCount ?? 0) > 0;
}

function rowOf(caller: KeyCaller, written: Written, original: ReceiptKey, done: Applied | undefined): ReturnRow {
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
  const numbers = additions.map((_, place) => partNumber(key.number, place + 2));
  const { shopId, kind } = key;
  const parts = await tx
    .select()
    .from(returns)
    .where(and(eq(returns.shopId, shopId), eq(returns.kind, kind), inArray(returns.number, numbers)));
  return [row, ...parts.sort((a, b) => numbers.indexOf(a.number) - numbers.indexOf(b.number))];
}

const readReturn = async (tx: Queries, key: ReturnKey): Promise<ReturnRow> => asOne(await readParts(tx, key));

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
