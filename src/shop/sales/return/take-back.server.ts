import { sql } from "drizzle-orm";
import { generateVoucherCode } from "#loyalty/card/card.server.ts";
import { reissueEmail } from "#loyalty/emails/voucher-emails.server.ts";
import { type CancelledVoucher, clawBack, readBalance, reissueVoucher } from "#loyalty/ledger/ledger.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { ShopDependencies } from "#shop/sales/dependencies.server.ts";
import {
  campaignPointsOf,
  type EarningRule,
  linesLeft,
  type PricedLine,
  pointsOf,
  spread,
} from "#shop/sales/purchase/basket.server.ts";
import { purchaseCause } from "#shop/sales/purchase/credit-sale.server.ts";
import type { ReceiptKey } from "#shop/sales/purchase/facts.server.ts";
import type { Asked, Refund, ReissuedVoucher, returns, UsedVoucher } from "#shop/sales/sales.tables.server.ts";

type ReturnRow = Omit<typeof returns.$inferSelect, "writtenIn">;

/** A sale as a return sees it (db/functions/shop_sale_lock.sql). */
export interface OriginalSale extends ReceiptKey {
  customerId: number | null;
  whole: boolean;
  lines: PricedLine[];
  vouchers: UsedVoucher[];
  /** Its points were credited or are pending. */
  credited: boolean;
  rule: EarningRule | null;
  /** What earlier returns gave back. */
  returned: Refund[];
}

/** The sale, once no one else sells or returns under its number (db/functions/shop_sale_lock.sql). */
export async function lockSale(tx: Queries, { shopId, number }: ReceiptKey) {
  const [row] = await tx
    .select({ sale: sql<(OriginalSale & { soldAt: string }) | null>`sale` })
    .from(sql`shop_sale_lock(${shopId}::integer, ${number}::text) sale`)
    .prepare("shop_sale_lock")
    .execute();
  return row?.sale ?? undefined;
}

/** The sale as it is recorded at the moment, without waiting for anyone (db/functions/shop_sale_read.sql). */
export async function readSale(queries: Queries, { shopId, number }: ReceiptKey) {
  const [row] = await queries
    .select({ sale: sql<(OriginalSale & { soldAt: string }) | null>`sale` })
    .from(sql`shop_sale_read(${shopId}::integer, ${number}::text) sale`);
  return row?.sale ?? undefined;
}

export interface Applied {
  refunds: Refund[];
  reissued: ReissuedVoucher[];
  cancelled: CancelledVoucher[];
  taken: number;
  available: number | null;
  debt: number | null;
  pending: number | null;
  nextPending: ReturnRow["nextPending"];
  /** The campaign of the sale, and what was taken of its points. */
  campaignId: number | null;
  campaignPoints: number;
}

/** What giving back this much of a sale does: the money, the points that go with it, and whether its vouchers come back. */
export function returnEffect(sale: OriginalSale, asked: Asked) {
  const before = amountsByLine(sale.returned);
  const refunds = refundsOf(sale, before, asked);
  const after = amountsByLine([...sale.returned, ...refunds]);
  const left = linesLeft(sale.lines, after);
  const { rule } = sale;
  const lessOf = (count: typeof pointsOf) =>
    rule ? count(linesLeft(sale.lines, before), rule) - count(left, rule) : 0;
  return {
    ...{ refunds, left, points: lessOf(pointsOf), campaignPoints: lessOf(campaignPointsOf) },
    reissues: sale.vouchers.filter((used) => isComplete(sale, used, after) && !isComplete(sale, used, before)),
  };
}

/**
 * Gives back what is asked: the points of what is left are computed with the frozen rule, and the difference is taken. So
 * the order of partial returns does not matter, and a full return takes exactly what was earned.
 */
export async function applyReturn(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  { shopName }: Pick<KeyCaller, "shopName">,
  sale: OriginalSale,
  written: Pick<ReturnRow, "shopId" | "number" | "kind" | "asked"> & { exchangeNumber?: string },
  now: Date,
): Promise<Applied> {
  const { refunds, points, campaignPoints, reissues } = returnEffect(sale, written.asked);
  const cause = `${written.kind}:${written.shopId}:${written.number}`;
  const cents = refunds.reduce((total, refund) => total + refund.cents, 0);
  const label = { sale: { shop: shopName, cents } };
  const { customerId, credited } = sale;
  const { shopId, number, exchangeNumber = number } = written;
  const exchange = written.kind === "exchange" ? purchaseCause({ shopId, number: exchangeNumber }) : null;
  const taking =
    customerId && credited && points > 0
      ? await clawBack(tx, { customerId, purchase: purchaseCause(sale), points, cause, label, now, exchange })
      : undefined;
  const reissued = await reissueAll(tx, deps, reissues, now);
  // Last: the points of a used voucher may have been given back.
  const balance = customerId ? await readBalance(tx, customerId, now) : undefined;
  return {
    refunds,
    reissued,
    cancelled: taking?.cancelled ?? [],
    taken: taking?.taken ?? 0,
    available: balance?.balance ?? null,
    debt: balance?.debt ?? null,
    pending: balance?.pending?.points ?? null,
    nextPending: balance?.pending?.next ?? null,
    campaignId: sale.rule?.campaignId ?? null,
    // Points that need a review, or that an erased customer had, were not credited or are gone.
    campaignPoints: credited ? campaignPoints : 0,
  };
}

/** Everything that the voucher touched was given back. */
function isComplete(sale: OriginalSale, used: UsedVoucher, returned: ReadonlyMap<string, number>): boolean {
  const touched = sale.lines.filter(({ line, shareCents }) => shareCents > 0 && (used.lines?.includes(line) ?? true));
  return touched.length > 0 && touched.every(({ line, paidCents }) => returned.get(line) === paidCents);
}

export function amountsByLine(refunds: readonly Refund[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { line, cents } of refunds) sums.set(line, (sums.get(line) ?? 0) + cents);
  return sums;
}

/** A shop may round the shares of vouchers in another way: a refund that is larger by so little is one of all that is left. */
const roundingCents = 2;

/** Lays a sum on what is left of each line; a line that gets nothing of it is not given back. */
function spreadRefund(cents: number, everything: readonly Refund[]): Refund[] {
  const shares = spread(
    cents,
    everything.map((one) => one.cents),
  );
  return everything.flatMap(({ line }, index) => (shares[index] ? [{ line, cents: shares[index] }] : []));
}

/** The money for each line. A line that vouchers paid in full gives back 0.00, once. */
export function refundsOf(sale: OriginalSale, returned: ReadonlyMap<string, number>, asked: Asked): Refund[] {
  const left = new Map(
    sale.lines
      .filter(({ line, paidCents }) => returned.get(line) !== paidCents)
      .map(({ line, paidCents }) => [line, paidCents - (returned.get(line) ?? 0)]),
  );
  const refundOf = ({ line, cents }: { line: string; cents: number | null }): Refund => {
    const most = left.get(line);
    if (most === undefined || (cents ?? 0) > most + roundingCents) throw new Refusal("more_than_bought");
    return { line, cents: Math.min(cents ?? most, most) };
  };
  const everything = [...left].map(([line, cents]) => ({ line, cents }));
  if (everything.length === 0) throw new Refusal("more_than_bought");
  if ("lines" in asked) return asked.lines.map(refundOf);
  if ("all" in asked) return everything;
  const total = everything.reduce((sum, { cents }) => sum + cents, 0);
  if (asked.cents > total + roundingCents) throw new Refusal("more_than_bought");
  if (asked.cents >= total) return everything;
  if (asked.spread) return spreadRefund(asked.cents, everything);
  if (!sale.whole) throw new Refusal("invalid", { errors: [{ field: "Amount", code: "spread" }] });
  return [refundOf({ line: everything[0]?.line ?? "", cents: asked.cents })];
}

async function reissueAll(
  tx: Queries,
  deps: Pick<ShopDependencies, "publicUrl">,
  vouchers: readonly UsedVoucher[],
  now: Date,
): Promise<ReissuedVoucher[]> {
  const reissued: ReissuedVoucher[] = [];
  for (const { code } of vouchers) {
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
    const context = { now, locale: language, publicUrl: deps.publicUrl };
    await queueMail(tx, {
      cause: `voucher:${customerId}:${voucherId}`,
      customerId,
      to: email,
      locale: language,
      content: reissueEmail(context, firstname ?? "", { amountCents, code: newCode, expiresAt }),
    });
  }
  return reissued;
}
