import { and, eq, sql } from "drizzle-orm";
import { generateVoucherCode } from "#loyalty/card/card.server.ts";
import { clawBack, readBalance, reissueVoucher } from "#loyalty/ledger/ledger.server.ts";
import { reissueLetter } from "#loyalty/letters/letters.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { amountOf } from "./amounts.server.ts";
import { auditSale } from "./at-till.server.ts";
import { type EarningRule, linesLeft, type PricedLine, pointsOf } from "./basket.server.ts";
import type { ReceiptKey } from "./facts.server.ts";
import { inSale, type ShopParts } from "./parts.server.ts";
import { openReceipt, timeOfSale } from "./receipts.server.ts";
import { type Asked, type Refund, type ReissuedVoucher, returns, type UsedVoucher } from "./sales.tables.server.ts";

/** Which sale is given back, and what of it. */
export interface ReturnOf {
  originalNumber: string;
  originalShopId: number | undefined;
  asked: Asked;
}

export interface Return {
  receiptNumber: string;
  returnOf: ReturnOf;
  soldAt: Date | undefined;
  sentAt: Date | undefined;
}

/** A sale as a return sees it (db/functions/shop_sale_lock.sql). */
export interface OriginalSale extends ReceiptKey {
  customerId: number | null;
  whole: boolean;
  lines: PricedLine[];
  vouchers: UsedVoucher[];
  entryId: number | null;
  rule: EarningRule | null;
  /** What earlier returns gave back. */
  returned: Refund[];
}

type ReturnRow = typeof returns.$inferSelect;

/** A return, once. Before its sale has arrived it waits for it. */
export async function postReturn(parts: ShopParts, caller: KeyCaller, asked: Return, now: Date) {
  const { receiptNumber, returnOf } = asked;
  const receipt = { shopId: caller.shopId, number: receiptNumber };
  return inSale(parts, caller, async (tx) => {
    const content = ["return", returnOf, asked.soldAt];
    const { repeated } = await openReceipt(tx, receipt, content, now);
    if (repeated) {
      await auditSale(tx, caller, now, { action: "return", after: { receipt: receiptNumber, repeated } });
      return describeReturn(await readReturn(tx, { ...receipt, kind: "return" }));
    }
    const { soldAt } = timeOfSale({ soldAt: asked.soldAt ?? now, sentAt: asked.sentAt, now });
    const returning = { kind: "return" as const, number: receiptNumber, returnOf, returnedAt: soldAt };
    const { row, customerId } = await takeBack(tx, parts, caller, returning, now);
    await auditSale(tx, caller, now, { action: "return", customerId, after: auditedReturn(row) });
    return describeReturn(row);
  });
}

/** Cancels a sale of the same day as a whole. Named by the sale's own number, so repeating it gives the same answer. */
export async function voidSale(parts: ShopParts, caller: KeyCaller, receiptNumber: string, now: Date) {
  const receipt = { shopId: caller.shopId, number: receiptNumber };
  return inSale(parts, caller, async (tx) => {
    const sale = await lockSale(tx, receipt);
    if (!sale) throw new Refusal("not_found");
    const voided = await findReturn(tx, { ...receipt, kind: "void" });
    if (voided) {
      await auditSale(tx, caller, now, { action: "void", after: { receipt: receiptNumber, repeated: true } });
      return describeReturn(voided);
    }
    const [day] = (
      await tx.execute<{ same: boolean }>(
        sql`select club_day(${sale.soldAt}::timestamptz) = club_day(${now.toISOString()}::timestamptz) as same`,
      )
    ).rows;
    if (!day?.same) throw new Refusal("not_same_day");
    if (sale.returned.length > 0) throw new Refusal("more_than_bought");
    const asked: Asked = { all: true };
    const done = await applyReturn(tx, parts, caller, sale, { ...receipt, kind: "void", asked }, now);
    const row = rowOf(caller, { ...receipt, kind: "void", asked, returnedAt: now }, sale, done);
    await tx.insert(returns).values(row);
    await auditSale(tx, caller, now, { action: "void", customerId: sale.customerId, after: auditedReturn(row) });
    return describeReturn(row);
  });
}

const auditedReturn = (row: ReturnRow) => ({
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
}

/** Applies and writes a return, or lets it wait for its sale. */
export async function takeBack(
  tx: Queries,
  parts: Pick<ShopParts, "publicUrl">,
  caller: KeyCaller,
  returning: Returning,
  now: Date,
) {
  const { returnOf, kind, number, returnedAt } = returning;
  const { originalNumber, originalShopId = caller.shopId, asked } = returnOf;
  const sale = await lockOriginal(tx, caller, returnOf);
  // An unknown receipt of another shop does not wait: any key could cancel sales that have not arrived yet.
  if (!sale && originalShopId !== caller.shopId) throw new Refusal("not_found");
  // Its own sale, in an exchange, or a number that stands for a return.
  if (!sale && (originalNumber === number || (await isTaken(tx, originalShopId, originalNumber))))
    throw new Refusal("not_found");
  const written = { shopId: caller.shopId, number, kind, asked, returnedAt };
  const done = sale && (await applyReturn(tx, parts, caller, sale, written, now));
  const original = sale ?? { shopId: originalShopId, number: originalNumber };
  const row = rowOf(caller, written, original, done);
  await tx.insert(returns).values(row);
  return { row, customerId: sale?.customerId ?? null };
}

/** The number belongs to something else than a sale with amounts. */
async function isTaken(tx: Queries, shopId: number, number: string): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`select from shop_receipt where shop_id = ${shopId} and number = ${number}`);
  return (rowCount ?? 0) > 0;
}

function rowOf(
  caller: KeyCaller,
  written: Pick<ReturnRow, "shopId" | "number" | "kind" | "asked" | "returnedAt">,
  original: ReceiptKey,
  done: Applied | undefined,
): ReturnRow {
  return {
    ...written,
    keyPrefix: caller.prefix,
    staffId: caller.staff?.id ?? null,
    saleShopId: original.shopId,
    saleNumber: original.number,
    state: done ? "applied" : "waiting",
    refunds: done?.refunds ?? [],
    reissued: done?.reissued ?? [],
    taken: done?.taken ?? 0,
    available: done?.available ?? null,
    debt: done?.debt ?? null,
  };
}

interface Applied {
  refunds: Refund[];
  reissued: ReissuedVoucher[];
  taken: number;
  available: number | null;
  debt: number | null;
}

/**
 * Gives back what is asked: the points of what is left are computed with the frozen rule, and the difference is taken. So
 * the order of partial returns does not matter, and a full return takes exactly what was earned.
 */
export async function applyReturn(
  tx: Queries,
  parts: Pick<ShopParts, "publicUrl">,
  { shopName }: KeyCaller,
  sale: OriginalSale,
  written: Pick<ReturnRow, "shopId" | "number" | "kind" | "asked">,
  now: Date,
): Promise<Applied> {
  const before = amountsByLine(sale.returned);
  const refunds = refundsOf(sale, before, written.asked);
  const after = amountsByLine([...sale.returned, ...refunds]);
  const cause = `${written.kind}:${written.shopId}:${written.number}`;
  const points = sale.rule
    ? pointsOf(linesLeft(sale.lines, before), sale.rule) - pointsOf(linesLeft(sale.lines, after), sale.rule)
    : 0;
  const cents = refunds.reduce((total, refund) => total + refund.cents, 0);
  const label = { sale: { shop: shopName, cents } };
  const { customerId, entryId } = sale;
  const taken =
    customerId && entryId && points > 0
      ? await clawBack(tx, { customerId, purchaseId: entryId, points, cause, label, now })
      : customerId
        ? await readBalance(tx, customerId)
        : undefined;
  const reissued = isComplete(sale, after) && !isComplete(sale, before) ? await reissueAll(tx, parts, sale, now) : [];
  return {
    refunds,
    reissued,
    taken: taken?.taken ?? 0,
    available: taken?.balance ?? null,
    debt: taken?.debt ?? null,
  };
}

/** The answer that a return would get. It is carried out, so the transaction must be rolled back. */
export async function previewReturn(
  tx: Queries,
  parts: Pick<ShopParts, "publicUrl">,
  caller: KeyCaller,
  sale: OriginalSale,
  asked: Asked,
  now: Date,
) {
  // No receipt has this number.
  const written = { shopId: caller.shopId, number: "", kind: "return" as const, asked, returnedAt: now };
  return describeReturn(rowOf(caller, written, sale, await applyReturn(tx, parts, caller, sale, written, now)));
}

/** Everything that the vouchers touched was given back. */
function isComplete(sale: OriginalSale, returned: ReadonlyMap<string, number>): boolean {
  const touched = sale.lines.filter(({ shareCents }) => shareCents > 0);
  return touched.length > 0 && touched.every(({ line, paidCents }) => returned.get(line) === paidCents);
}

export function amountsByLine(refunds: readonly Refund[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { line, cents } of refunds) sums.set(line, (sums.get(line) ?? 0) + cents);
  return sums;
}

/** The money for each line. A line that vouchers paid in full gives back 0.00, once. */
function refundsOf(sale: OriginalSale, returned: ReadonlyMap<string, number>, asked: Asked): Refund[] {
  const left = new Map(
    sale.lines
      .filter(({ line, paidCents }) => returned.get(line) !== paidCents)
      .map(({ line, paidCents }) => [line, paidCents - (returned.get(line) ?? 0)]),
  );
  const refundOf = ({ line, cents }: { line: string; cents: number | null }): Refund => {
    const most = left.get(line);
    if (most === undefined || (cents ?? 0) > most) throw new Refusal("more_than_bought");
    return { line, cents: cents ?? most };
  };
  const everything = [...left].map(([line, cents]) => ({ line, cents }));
  if (everything.length === 0) throw new Refusal("more_than_bought");
  if ("lines" in asked) return asked.lines.map(refundOf);
  if ("all" in asked) return everything;
  const total = everything.reduce((sum, { cents }) => sum + cents, 0);
  if (asked.cents > total) throw new Refusal("more_than_bought");
  if (asked.cents === total) return everything;
  if (!sale.whole) throw new Refusal("invalid", { errors: [{ field: "Amount", code: "invalid" }] });
  return [refundOf({ line: everything[0]?.line ?? "", cents: asked.cents })];
}

async function reissueAll(
  tx: Queries,
  parts: Pick<ShopParts, "publicUrl">,
  sale: OriginalSale,
  now: Date,
): Promise<ReissuedVoucher[]> {
  const reissued: ReissuedVoucher[] = [];
  for (const { code } of sale.vouchers) {
    let made: Awaited<ReturnType<typeof reissueVoucher>>;
    let newCode: string;
    do {
      newCode = generateVoucherCode();
      made = await reissueVoucher(tx, { oldCode: code, code: newCode, now });
    } while (made?.outcome === "code_taken");
    if (made?.outcome !== "done") continue;
    const { amountCents, expiresAt, customerId, voucherId, email, firstname, language } = made;
    reissued.push({ code: newCode, valueCents: amountCents, expiresAt: expiresAt.toISOString() });
    if (email === null) continue;
    const context = { now, locale: language, publicUrl: parts.publicUrl };
    await queueMail(tx, {
      cause: `voucher:${customerId}:${voucherId}`,
      customerId,
      to: email,
      locale: language,
      letter: reissueLetter(context, firstname ?? "", { amountCents, code: newCode, expiresAt }),
    });
  }
  return reissued;
}

/** The sale that is given back, once nobody else sells or returns under its number. */
export const lockOriginal = (
  tx: Queries,
  { shopId }: KeyCaller,
  { originalShopId = shopId, originalNumber }: ReturnOf,
) => lockSale(tx, { shopId: originalShopId, number: originalNumber });

/** The sale, once nobody else sells or returns under its number (db/functions/shop_sale_lock.sql). */
export async function lockSale(tx: Queries, { shopId, number }: ReceiptKey) {
  const [row] = await tx
    .select({ sale: sql<(OriginalSale & { soldAt: string }) | null>`sale` })
    .from(sql`shop_sale_lock(${shopId}::integer, ${number}::text) sale`)
    .prepare("shop_sale_lock")
    .execute();
  return row?.sale ?? undefined;
}

type ReturnKey = ReceiptKey & Pick<ReturnRow, "kind">;

async function findReturn(tx: Queries, { shopId, number, kind }: ReturnKey): Promise<ReturnRow | undefined> {
  const [row] = await tx
    .select()
    .from(returns)
    .where(and(eq(returns.shopId, shopId), eq(returns.number, number), eq(returns.kind, kind)));
  return row;
}

async function readReturn(tx: Queries, key: ReturnKey): Promise<ReturnRow> {
  const row = await findReturn(tx, key);
  if (!row) throw new Refusal("receipt_known");
  return row;
}

/** The answer, the same at every repetition. One that waits has taken nothing yet. */
export function describeReturn(row: ReturnRow) {
  return {
    Points: { Taken: row.taken, Available: row.available ?? 0, Debt: row.debt ?? 0 },
    Refunds: row.refunds.map(({ line, cents }) => ({ Line: line, Amount: amountOf(cents) })),
    ReissuedVouchers: row.reissued.map(({ code, valueCents, expiresAt }) => ({
      Code: code,
      Value: amountOf(valueCents),
      ExpiresAt: expiresAt,
    })),
    ...(row.state === "waiting" && { Waiting: true as const }),
  };
}
